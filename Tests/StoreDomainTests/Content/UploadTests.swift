// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Uploads of hosted content.
struct UploadTests {
    private static let bundle = BundleIdentifier(TestStore.bundleIdentifier)

    private static func content(_ version: String = "1.0", bytes: Int = 5000, seed: UInt64 = 1) throws -> TestContent {
        try TestContent(version: version, files: ["book.bin": TestContent.noise(bytes, seed: seed)])
    }

    private static func bytes(of version: Control.ContentVersion, in store: TestStore) async throws -> Data {
        let listed = try await ListingContent(store.context)(of: bundle)
        let content = try #require(listed.first { $0.version == version.version })
        let reader = try await store.context.requireHosting().storage.read(content.object, 0..<content.bytes)
        var bytes = Data()
        while let part = try await reader.next() { bytes.append(part) }
        return bytes
    }

    @Test("A content is uploaded in parts and published with its own bytes", arguments: Engine.stores)
    func published(engine: Engine) async throws {
        try await engine.withStore { store in
            let content = try Self.content()
            let published = try await store.publish(content)

            #expect(published.product == "apple" && published.version == "1.0" && published.isNewest)
            #expect(published.files == 2 && published.fileBytes > 5000)
            #expect(try await Self.bytes(of: published, in: store) == content.bytes())
            #expect(try store.contentFiles().uploads.isEmpty)
            // Repeated, as after a lost answer.
            let again = try await store.publish(content)
            #expect(again.published == published.published)
            #expect(try await store.count("content_version") == 1)
            #expect(try await store.count("content_upload") == 0)
        }
    }

    @Test("An upload that was cut is taken up by another process, after every part", arguments: Engine.stores)
    func takenUp(engine: Engine) async throws {
        try await engine.withTwoDatabases(hasTables: true) { first, second in
            let one = try await TestStore(first)
            // The other process has the same folder.
            let other = try await TestStore(
                second, seed: 8,
                storage: { _ in
                    FolderStorage(one.contentFolder.url, partBytes: 1024)
                })
            let content = try Self.content()
            var begun = try await one.begin(content)
            var turns = 0
            while begun.received < (try content.packed().bytes) {
                turns += 1
                let store = turns.isMultiple(of: 2) ? one : other
                let found = try await store.begin(content)
                #expect(found.upload == begun.upload && found.received == begun.received)
                begun = try await store.append(content, to: found)
            }
            #expect(turns > 4)
            let published = try await other.publish(begun)
            #expect(try await Self.bytes(of: published, in: one) == content.bytes())
            await #expect(throws: ReceivingUpload.unknown) { _ = try await one.publish(begun) }
        }
    }

    @Test("Two processes that send one part at the same time count it once", arguments: Engine.stores)
    func raced(engine: Engine) async throws {
        try await engine.withStore { store in
            let content = try Self.content()
            let begun = try await store.begin(content)
            let answers = await withTaskGroup(of: Int64?.self) { group in
                for _ in 0..<8 {
                    group.addTask { try? await store.append(content, to: begun).received }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.contains(1024))
            #expect(answers.allSatisfy { $0 == nil || $0 == 1024 })
            #expect(try await store.begin(content).received == 1024)
        }
    }

    @Test("A part of another place or size is refused, and changes nothing", arguments: Engine.stores)
    func otherParts(engine: Engine) async throws {
        try await engine.withStore { store in
            let content = try Self.content()
            let begun = try await store.begin(content)
            let upload = try #require(begun.upload)
            let part = try content.packed().read(1024, at: 0)
            let parts: [(Data, Int64, DomainError.Code)] = [
                (part, 1024, .otherOffset), (part, -1, .otherOffset), (part.dropLast(), 0, .invalid),
                (Data(), 0, .invalid), (part + part, 0, .invalid),
            ]
            for (part, offset, code) in parts {
                let error = await #expect(throws: DomainError.self) {
                    _ = try await Control.UploadAnswer(receiving: part, of: upload, at: offset, in: store.context)
                }
                #expect(error?.code == code)
            }
            let error = await #expect(throws: DomainError.self) { _ = try await store.publish(begun) }
            #expect(error?.code == .otherOffset)
            #expect(try await store.begin(content).received == 0)
        }
    }

    @Test("An upload with other bytes than announced is refused and removed", arguments: Engine.stores)
    func otherBytes(engine: Engine) async throws {
        try await engine.withStore { store in
            let content = try Self.content()
            var begun = try await store.begin(content)
            let upload = try #require(begun.upload)
            while begun.received < (try content.packed().bytes) {
                var part = try content.packed().read(begun.partBytes, at: begun.received)
                if begun.received == 2048 { part[10] ^= 1 }
                begun = try await Control.UploadAnswer(
                    receiving: part, of: upload, at: begun.received, in: store.context)
            }
            let error = await #expect(throws: DomainError.self) { _ = try await store.publish(begun) }
            #expect(error?.message.contains("Contents/book.bin") == true)
            #expect(try store.contentFiles() == ([], []))
            #expect(try await store.count("content_upload") == 0)
            #expect(try await store.count("content_version") == 0)
        }
    }

    @Test("A content that names another version than announced is refused", arguments: Engine.stores)
    func otherVersion(engine: Engine) async throws {
        try await engine.withStore { store in
            let content = try Self.content()
            var begun = try await store.begin(content, version: "2.0")
            while begun.received < (try content.packed().bytes) {
                begun = try await store.append(content, to: begun)
            }
            let error = await #expect(throws: DomainError.self) { _ = try await store.publish(begun) }
            #expect(error?.message.contains("ContentInfo.plist") == true)
            #expect(try store.contentFiles() == ([], []))
        }
    }

    @Test("A version that is published isn't replaced", arguments: Engine.stores)
    func existingVersion(engine: Engine) async throws {
        try await engine.withStore { store in
            // Both uploads begin before one of them is published.
            let (first, second) = (try Self.content(seed: 1), try Self.content(seed: 2))
            var begun = try await store.begin(second)
            try await store.publish(first)
            while begun.received < (try second.packed().bytes) {
                begun = try await store.append(second, to: begun)
            }
            for attempt in [{ try await store.publish(begun) as Any }, { try await store.begin(second) as Any }] {
                let error = await #expect(throws: DomainError.self) { _ = try await attempt() }
                #expect(error?.code == .exists)
            }
            #expect(try store.contentFiles().uploads.isEmpty)
            #expect(try store.contentFiles().objects.count == 1)
        }
    }

    @Test("The newest version is the last one that was published, and its removal brings back the one before")
    func newest() async throws {
        try await Engine.sqliteMemory.withStore { store in
            for (number, version) in ["1.0", "2.0", "1.5"].enumerated() {
                try await store.publish(Self.content(version, seed: UInt64(number)))
                store.clock.advance(by: .seconds(60))
            }
            func newest() async throws -> [String] {
                try await ListingContent(store.context)(of: Self.bundle).filter(\.isNewest).map(\.version)
            }
            #expect(try await newest() == ["1.5"])
            let removing = RemovingContent(store.context)
            _ = try await removing("apple", of: Self.bundle, version: "1.5")
            #expect(try await newest() == ["2.0"])
            _ = try await removing("apple", of: Self.bundle, version: "1.0")
            #expect(try await newest() == ["2.0"])
            #expect(try store.contentFiles().objects.count == 1)
            #expect(try await removing("apple", of: Self.bundle, version: nil).map(\.version) == ["2.0"])
            #expect(try store.contentFiles().objects.isEmpty)
            let error = await #expect(throws: DomainError.self) {
                _ = try await removing("apple", of: Self.bundle, version: nil)
            }
            #expect(error?.code == .contentNotFound)
        }
    }

    @Test("The same bytes are stored once, and stay until their last version is removed", arguments: Engine.stores)
    func storedOnce(engine: Engine) async throws {
        try await engine.withStore { store in
            let other = BundleIdentifier("com.example.other")
            try await ImportingCatalogue(store.context)(
                StoreKitConfigurationFile(
                    Data(TestStore.catalogue.utf8), file: "other.storekit", bundleIdentifier: other),
                into: App(bundleIdentifier: other, name: "Other"))
            let removing = RemovingContent(store.context)
            // The same bytes again, after both versions were removed.
            for _ in 0..<2 {
                let published = try await store.publish(Self.content())
                try await store.publish(Self.content(), of: other.rawValue)
                #expect(try store.contentFiles().objects.count == 1)
                _ = try await removing("apple", of: other, version: nil)
                #expect(try await Self.bytes(of: published, in: store) == Self.content().bytes())
                _ = try await removing("apple", of: Self.bundle, version: nil)
                #expect(try store.contentFiles().objects.isEmpty)
            }
        }
    }

    @Test("The content of an app has a quota, in which uploads count", arguments: Engine.stores)
    func quota(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, contentQuota: 12_000)
            try await store.publish(Self.content("1.0", seed: 1))
            _ = try await store.begin(Self.content("2.0", seed: 2))
            let error = await #expect(throws: DomainError.self) {
                _ = try await store.begin(Self.content("3.0", seed: 3))
            }
            #expect(error?.code == .quotaExceeded)
            #expect(error?.message.contains("12000") == true)
            // The upload that has begun may go on.
            try await store.publish(Self.content("2.0", seed: 2))
            _ = try await RemovingContent(store.context)("apple", of: Self.bundle, version: "1.0")
            try await store.publish(Self.content("3.0", seed: 3))
        }
    }

    @Test("Two gigabytes may be announced, and a byte more is refused", arguments: Engine.stores)
    func twoGigabytes(engine: Engine) async throws {
        try await engine.withStore { store in
            func begin(_ bytes: Int64) async throws -> Control.UploadAnswer {
                try await Control.UploadAnswer(
                    beginning: Control.BeginUploadCall(
                        bundle: TestStore.bundleIdentifier, product: "apple", version: "1", bytes: bytes,
                        checksum: String(repeating: "0a", count: 32)), in: store.context)
            }
            let error = await #expect(throws: ContentFormatError.self) {
                _ = try await begin(ContentLimits.objectBytes + 1)
            }
            #expect(error?.code == .tooLarge)
            #expect(error?.message.contains("2147483648") == true)
            let largest = try await begin(ContentLimits.objectBytes)
            #expect(largest.received == 0)
        }
    }

    @Test("Content of an unknown product or with a malformed checksum is refused", arguments: Engine.stores)
    func unknown(engine: Engine) async throws {
        try await engine.withStore { store in
            let digest = String(repeating: "0a", count: 32)
            for (bundle, product, version, checksum, bytes) in [
                (TestStore.bundleIdentifier, "melon", "1", digest, Int64(1)),
                ("com.example.other", "apple", "1", digest, 1), (TestStore.bundleIdentifier, "apple", "1", "0a", 1),
                (TestStore.bundleIdentifier, "apple", "", digest, 1),
                (TestStore.bundleIdentifier, "apple", "1", digest, 0),
                (TestStore.bundleIdentifier, "apple", "1", digest, -1),
                (TestStore.bundleIdentifier, "apple", String(repeating: "1", count: 101), digest, 1),
            ] {
                await #expect(throws: DomainError.self, "\(product) \(version) \(bytes)") {
                    _ = try await Control.UploadAnswer(
                        beginning: Control.BeginUploadCall(
                            bundle: bundle, product: product, version: version, bytes: bytes, checksum: checksum),
                        in: store.context)
                }
            }
            let uploads = try await store.count("content_upload")
            #expect(uploads == 0)
        }
    }
}

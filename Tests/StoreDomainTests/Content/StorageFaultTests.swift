// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Uploads whose disk is full, and processes that end between two steps.
struct StorageFaultTests {
    private static let bundle = BundleIdentifier(TestStore.bundleIdentifier)

    /// Runs a test with a store, and its storage that can fail.
    private static func withFaultyStorage(
        _ engine: Engine, _ body: (TestStore, FaultyStorage) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            var faulty: FaultyStorage?
            let store = try await TestStore(
                database,
                storage: { folder in
                    let storage = FaultyStorage(folder)
                    faulty = storage
                    return storage
                })
            try await body(store, try #require(faulty))
        }
    }

    private static func content() throws -> TestContent {
        try TestContent(files: ["book.bin": TestContent.noise(3000)])
    }

    /// Uploads until nothing fails, as `storectl` does.
    private static func upload(_ content: TestContent, to store: TestStore) async throws -> Control.ContentVersion {
        while true {
            do { return try await store.publish(content) } catch is ContentStorageError {} catch is Refusal {}
        }
    }

    @Test("A part for which the disk is full isn't counted, and is sent again", arguments: Engine.stores)
    func full(engine: Engine) async throws {
        try await Self.withFaultyStorage(engine) { store, storage in
            let content = try Self.content()
            var begun = try await store.append(content, to: store.begin(content))
            storage.fail(.full(.append))
            let error = await #expect(throws: ContentStorageError.self) {
                begun = try await store.append(content, to: begun)
            }
            #expect(error?.code == .full)
            let failure = store.service.failure(of: try #require(error), at: "test")
            #expect(failure.code == .unavailable && failure.message.contains("full"))
            #expect(try await store.begin(content).received == 1024)

            #expect(try await store.publish(content).isNewest)
        }
    }

    @Test("An upload whose earlier parts the storage has lost ends, and begins again", arguments: Engine.stores)
    func lost(engine: Engine) async throws {
        try await Self.withFaultyStorage(engine) { store, storage in
            let content = try Self.content()
            let begun = try await store.append(content, to: store.begin(content))
            storage.fail(.init(.append, ContentStorageError(.missing, "lost")))
            let error = await #expect(throws: DomainError.self) { _ = try await store.append(content, to: begun) }
            #expect(error?.code == .notFound)
            #expect(try await store.count("content_upload") == 0)

            let again = try await store.begin(content)
            #expect(again.received == 0 && again.upload != begun.upload)
            #expect(try await store.publish(content).isNewest)
        }
    }

    @Test(
        "A process that ends before or after any step leaves an upload that goes on",
        arguments: Engine.stores, [FaultyStorage.Step.append, .read, .complete])
    func died(engine: Engine, step: FaultyStorage.Step) async throws {
        for isAfterwards in [false, true] {
            try await Self.withFaultyStorage(engine) { store, storage in
                let content = try Self.content()
                storage.fail(.init(step, ContentStorageError(.unavailable, "died"), isAfterwards: isAfterwards))

                let published = try await Self.upload(content, to: store)

                #expect(published.isNewest)
                #expect(try await store.count("content_version") == 1)
                #expect(try await store.count("content_upload") == 0)
                #expect(try store.contentFiles().uploads.isEmpty)
                #expect(try store.contentFiles().objects.count == 1)
            }
        }
    }

    @Test("No version is listed before its object is complete", arguments: Engine.stores)
    func unseen(engine: Engine) async throws {
        try await Self.withFaultyStorage(engine) { store, storage in
            let content = try Self.content()
            for isAfterwards in [false, true] {
                storage.fail(.init(.complete, isAfterwards: isAfterwards))
                await #expect(throws: Refusal.self) { try await store.publish(content) }
                #expect(try await ListingContent(store.context)(of: Self.bundle).isEmpty)
            }
            // The sweep leaves an object alone that is being published.
            _ = try await SweepingUploads(store.context)()
            #expect(try store.contentFiles().objects.count == 1)
            #expect(try await store.publish(content).isNewest)
        }
    }

    @Test("An upload that isn't continued for a day is removed, with its bytes", arguments: Engine.stores)
    func abandoned(engine: Engine) async throws {
        try await Self.withFaultyStorage(engine) { store, _ in
            let content = try Self.content()
            let begun = try await store.append(content, to: store.begin(content))
            store.clock.advance(by: .seconds(23 * 60 * 60))
            #expect(try await SweepingUploads(store.context)().isNothing)
            _ = try await store.append(content, to: begun)
            store.clock.advance(by: .seconds(23 * 60 * 60))
            #expect(try await SweepingUploads(store.context)().isNothing)
            store.clock.advance(by: .seconds(2 * 60 * 60))

            #expect(try await SweepingUploads(store.context)().uploads == 1)

            #expect(try store.contentFiles() == ([], []))
            #expect(try await store.begin(content).received == 0)
        }
    }

    @Test("Bytes that no row names are removed, and no others", arguments: Engine.stores)
    func unnamed(engine: Engine) async throws {
        try await Self.withFaultyStorage(engine) { store, storage in
            let content = try Self.content()
            try await store.publish(content)
            let other = try TestContent(version: "2.0", files: ["book.bin": TestContent.noise(2000, seed: 2)])
            let begun = try await store.append(other, to: store.begin(other))
            // Removed from the rows, while the process ends before the file is.
            let third = try TestContent(product: "pear", files: ["book.bin": TestContent.noise(100, seed: 3)])
            try await store.publish(third)
            storage.fail(.init(.remove))
            _ = try await RemovingContent(store.context)("pear", of: Self.bundle, version: nil)
            try Data().write(to: store.contentFolder.url.appending(path: "uploads/unknown"))
            #expect(try store.contentFiles().objects.count == 2)

            let swept = try await SweepingUploads(store.context)()
            #expect(swept.uploads == 1 && swept.objects == 1)

            #expect(try store.contentFiles().objects.count == 1)
            #expect(try store.contentFiles().uploads == [try #require(begun.upload)])
            #expect(try await SweepingUploads(store.context)().isNothing)
        }
    }

    @Test("A store without a storage refuses uploads and removals")
    func withoutStorage() async throws {
        try await Engine.sqliteMemory.withStore { store in
            var context = store.context
            context.hosting = nil
            let withoutStorage = context
            let error = await #expect(throws: DomainError.self) {
                _ = try await store.publish(Self.content(), in: withoutStorage)
            }
            #expect(error?.code == .storageUnavailable)
            let swept = try await SweepingUploads(context)()
            #expect(swept.isNothing)
        }
    }
}

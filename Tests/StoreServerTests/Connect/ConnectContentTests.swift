// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer
@testable import StoreService

/// The page on which the content of a product is uploaded.
struct ConnectContentTests {
    private static let path = "/connect/apps/\(TestStore.bundleIdentifier)/products/book/content"

    private static func content(_ version: String = "1.0", bytes: Int = 3000, seed: UInt64 = 1) throws -> Data {
        try TestContent(
            product: "book", version: version, files: ["book.bin": TestContent.noise(bytes, seed: seed)]
        ).bytes()
    }

    private static func send(_ file: Data, _ browser: ConnectBrowser) async throws -> TestResponse {
        try await browser.upload(path, ["decision": "upload"], file: file, named: "file", filename: "b.oskcontent")
    }

    /// A store with a non-consumable, whose content has a storage with faults.
    private static func withBook(
        storage: @escaping @Sendable (FolderStorage) -> any ContentStorage = { $0 },
        quota: Int64 = ContentHosting.quota,
        _ body: @escaping @Sendable (TestStore, ConnectBrowser, TeamUser) async throws -> Void
    ) async throws {
        try await Engine.sqliteMemory.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, storage: storage, contentQuota: quota)
            try await store.withHTTP { client in
                let holder = try await store.setUpTeam()
                try await store.registerProduct("book", kind: .nonConsumable, by: holder)
                try await body(store, try await ConnectBrowser(client, holder, store), holder)
            }
        }
    }

    @Test(
        "A package is published with its upload, another version takes its place, and a removed one ends",
        arguments: ["en", "de", "fr"])
    func life(language: String) async throws {
        try await Self.withBook { store, browser, holder in
            var browser = browser
            browser.language = language
            let words = ContentWords.words(language == "de" ? .german : language == "fr" ? .french : .english)
            #expect(try await browser.get(Self.path).text.contains(words.none))
            #expect(try await Self.send(Self.content(), browser).headers[.location] == "\(Self.path)?done=content")
            #expect(try await Self.send(Self.content("2.0"), browser).status == .seeOther)
            // The same bytes again change nothing.
            #expect(try await Self.send(Self.content("2.0"), browser).status == .seeOther)
            let page = try await browser.get("\(Self.path)?done=content").text
            #expect(page.contains(words.live) && page.contains(words.earlier) && page.contains(words.published))
            #expect(page.contains("enctype=\"multipart/form-data\" data-uploading=\"") && page.utf8.count < 80_000)
            #expect(page.contains("accept=\".oskcontent\" required"))
            #expect(try await browser.send(Self.path, ["decision": "remove", "version": "2.0"]).status == .seeOther)
            #expect(try await browser.send(Self.path, ["decision": "remove", "version": "2.0"]).status == .seeOther)
            let listed = try await ListingContent(store.context)(of: BundleIdentifier(TestStore.bundleIdentifier))
            #expect(listed.map(\.version) == ["1.0"] && listed.map(\.isNewest) == [true])
            let changes = try await store.service.teamReader.changes(containing: "", before: .max, as: holder).entries
            #expect(
                changes.filter { $0.subject == "book" }.map(\.kind).prefix(3) == [
                    .contentRemoved, .contentPublished, .contentPublished,
                ])
            #expect(try store.contentFiles().uploads.isEmpty && store.contentFiles().objects.count == 1)
        }
    }

    @Test("Files that aren't packages of the product are refused beside the field, and nothing is stored")
    func refused() async throws {
        try await Self.withBook { store, browser, _ in
            let words = FieldWords.english
            let other = try TestContent(product: "apple").bytes()
            let altered = try Self.content().dropLast() + Data([0])
            for (file, sentence) in [
                (Data(), words.missing), (Data("a text".utf8), nil), (TestContent.noise(5000), words.notPackage),
                (other, "apple"), (Data(altered), "book.bin has another checksum"),
                (try Self.content().dropLast(10), "ends before its last file"),
                (try Self.content() + Data([1]), "more bytes"),
            ] {
                let answer = try await Self.send(Data(file), browser)
                #expect(answer.status == .badRequest, "\(file.count): \(answer.status)")
                let problem = answer.text.firstMatch(of: /<p class="problem" id="file-problem">([^<]*)</)
                #expect(problem != nil, "\(file.count)")
                if let sentence { #expect(problem?.1.contains(sentence) == true, "\(sentence)") }
            }
            let wrong = try await browser.upload(Self.path, ["decision": "burn"], file: Self.content(), named: "file")
            #expect(wrong.status == .badRequest)
            let foreign = try await browser.upload(
                Self.path, ["decision": "upload"], file: Self.content(), named: "file", origin: "https://other.example")
            #expect(foreign.status == .forbidden)
            #expect(try await store.count("content_version") == 0)
            #expect(try await store.count("content_upload") == 0)
            #expect(try store.contentFiles().uploads.isEmpty && store.contentFiles().objects.isEmpty)
        }
    }

    @Test("A version with other bytes is refused, and two uploads of one package both succeed")
    func races() async throws {
        try await Self.withBook { store, browser, _ in
            let (first, second) = (try Self.content(bytes: 20_000), try Self.content(bytes: 20_000, seed: 2))
            let answers = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<2 { group.addTask { try await Self.send(first, browser).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers == [.seeOther, .seeOther])
            let refused = try await Self.send(second, browser)
            #expect(refused.status == .badRequest && refused.text.contains("another ContentVersion"))
            #expect(try await store.count("content_version") == 1)
            #expect(try await store.count("content_upload") == 0)
            #expect(try store.contentFiles().objects.count == 1)
        }
    }

    @Test("A full disk and a full quota are named beside the field, and leave nothing behind")
    func noRoom() async throws {
        try await Self.withBook { storage in
            let faulty = FaultyStorage(storage)
            faulty.fail(.full(.append))
            return faulty
        } _: { store, browser, _ in
            let full = try await Self.send(Self.content(), browser)
            #expect(full.status == .badRequest && full.text.contains(FieldWords.english.diskFull))
            #expect(try await store.count("content_upload") == 0)
            #expect(try store.contentFiles().uploads.isEmpty)
            #expect(try await Self.send(Self.content(), browser).status == .seeOther)
        }
        try await Self.withBook(quota: 1000) { store, browser, _ in
            let over = try await Self.send(Self.content(), browser)
            #expect(over.status == .badRequest && over.text.contains("larger than it may be"))
            #expect(try await store.count("content_upload") == 0)
        }
    }

    @Test("A package whose user loses the right while it arrives begins no upload")
    func lostWhileArriving() async throws {
        try await Self.withBook { store, browser, holder in
            let developer = try await store.addUser(.developer, to: holder)
            let (app, file) = (BundleIdentifier(TestStore.bundleIdentifier), try Self.content())
            var package = try await store.service.incomingPackage(
                of: "book", in: app, expecting: Int64(file.count), by: developer)
            try await package.append(file)
            let arrived = package
            try await store.service.changingUser().setRole(
                TeamRole.support.rawValue, of: developer.identifier, before: TeamRole.developer.rawValue,
                by: holder)
            await #expect(throws: DomainError(.forbidden, "")) {
                var package = arrived
                _ = try await store.service.publish(&package, of: "book", in: app, by: developer)
            }
            #expect(try await store.count("content_upload") == 0)
            #expect(try store.contentFiles().uploads.isEmpty && store.contentFiles().objects.isEmpty)
            #expect(try await Self.send(file, browser).status == .seeOther)
        }
    }

    @Test(
        "An upload whose user loses the right before it is published ends, and frees its quota",
        arguments: Engine.servers)
    func lostWhilePublished(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let content = try TestContent(product: "book", files: ["book.bin": TestContent.noise(3000)])
            // There is room for one upload of the package, and not for two.
            let store = try await TestStore(database, contentQuota: try content.packed().bytes * 3 / 2)
            let holder = try await store.setUpTeam()
            try await store.registerProduct("book", kind: .nonConsumable, by: holder)
            let developer = try await store.addUser(.developer, to: holder)
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            var upload = try await store.begin(content)
            let identifier = UploadIdentifier(try #require(upload.upload))
            while upload.received < (try content.packed().bytes) {
                upload = try await store.append(content, to: upload)
            }
            try await store.service.changingUser().remove(developer.identifier, by: holder)
            await #expect(throws: DomainError(.forbidden, "")) {
                _ = try await store.service.hostingTeamContent().publish(
                    identifier, of: "book", in: app, by: developer, check: PackageInspector.check)
            }
            #expect(try await store.count("content_upload") == 0)
            #expect(try store.contentFiles().uploads.isEmpty && store.contentFiles().objects.isEmpty)
            try await store.service.hostingTeamContent().requireRoom(
                for: content.packed().bytes, of: "book", in: app, by: holder)
            _ = try await store.begin(content)
        }
    }

    @Test("Only roles that change products publish and remove content", arguments: TeamRole.allCases)
    func roles(role: TeamRole) async throws {
        try await Self.withBook { store, browser, holder in
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            let user = role == .accountHolder ? holder : try await store.addUser(role, to: holder)
            let foreign = try await ConnectBrowser(browser.client, other, store)
            #expect(try await Self.send(Self.content(), foreign).status == .notFound)
            #expect(try await Self.send(Self.content(), ConnectBrowser(browser.client)).status == .forbidden)
            let answer = try await Self.send(Self.content(), try await ConnectBrowser(browser.client, user, store))
            #expect(answer.status == (role.may(.editProducts) ? .seeOther : .forbidden))
            #expect(try await store.count("content_version") == (role.may(.editProducts) ? 1 : 0))
            let page = try await ConnectBrowser(browser.client, user, store).get(Self.path).text
            #expect(page.contains("value=\"upload\"") == role.may(.editProducts))
        }
    }

    @Test("A consumable has no upload")
    func consumable() async throws {
        try await Self.withBook { store, browser, holder in
            try await store.registerProduct(by: holder)
            let path = "/connect/apps/\(TestStore.bundleIdentifier)/products/banana/content"
            #expect(try await browser.get(path).text.contains(ContentWords.english.onlyNonConsumables))
            let file = try TestContent(product: "banana").bytes()
            let answer = try await browser.upload(path, ["decision": "upload"], file: file, named: "file")
            #expect(answer.status == .badRequest)
            #expect(try await store.count("content_version") == 0)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer
@testable import StoreService

/// The hosted content of Connect's API.
struct ConnectAPIContentTests {
    private static let path = "apps/\(TestStore.bundleIdentifier)/products/book/content"

    private static func content(_ version: String = "1.0", bytes: Int = 3000, seed: UInt64 = 1) throws -> Data {
        try TestContent(
            product: "book", version: version, files: ["book.bin": TestContent.noise(bytes, seed: seed)]
        ).bytes()
    }

    /// A store with a non-consumable, and a program that may change it.
    private static func withBook(
        _ engine: Engine = .sqliteMemory, quota: Int64 = ContentHosting.quota,
        _ body: @escaping @Sendable (TestStore, ConnectProgram, TeamUser) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, contentQuota: quota)
            try await store.withHTTP { client in
                let holder = try await store.setUpTeam()
                try await store.registerProduct("book", kind: .nonConsumable, by: holder)
                try await body(store, try await ConnectProgram(client, .developer, of: holder, store), holder)
            }
        }
    }

    @Test("A program publishes versions, lists them and removes one", arguments: Engine.servers)
    func life(engine: Engine) async throws {
        try await Self.withBook(engine) { store, program, holder in
            let empty = try await program.send(.get, Self.path).object()
            #expect((empty["versions"] as? [Any])?.isEmpty == true && empty["live"] == nil)
            // The second 2.0 is the same upload after a lost answer.
            for version in ["1.0", "2.0", "2.0"] {
                let published = try await program.send(.put, Self.path, file: try Self.content(version))
                #expect(published.status == .ok, "\(version): \(published.text)")
                let values = try published.object()
                #expect(values["version"] as? String == version && values["isLive"] as? Bool == true)
                // The package has its ContentInfo.plist, too.
                let information = TestContent.information(product: "book", version: version)
                #expect(values["files"] as? Int == 2 && values["bytes"] as? Int == 3000 + information.count)
            }
            let listed = try await program.send(.get, Self.path).object()
            let versions = try #require(listed["versions"] as? [[String: Any]])
            #expect(versions.map { $0["version"] as? String } == ["1.0", "2.0"] && listed["live"] as? String == "2.0")
            let rest = try await program.send(.get, "\(Self.path)?after=1.0").object()["versions"] as? [Any]
            #expect(rest?.count == 1)
            #expect(try await program.send(.delete, "\(Self.path)/2.0").status == .noContent)
            let gone = try await program.send(.delete, "\(Self.path)/2.0")
            #expect(gone.status == .notFound && gone.code == "content-not-found")
            #expect(try await program.send(.get, Self.path).object()["live"] as? String == "1.0")
            let log = try await store.service.teamReader.changes(as: holder).entries
            #expect(log.prefix(3).map(\.kind) == [.contentRemoved, .contentPublished, .contentPublished])
            #expect(log.prefix(3).allSatisfy { $0.user.hasPrefix("API key ") })
        }
    }

    @Test("A file that can't be published names the problem, and nothing is stored")
    func refused() async throws {
        try await Self.withBook { store, program, holder in
            let content = try Self.content()
            for (file, problem) in [
                (Data(), "missing"), (TestContent.noise(5000), "not-package"),
                (try TestContent(product: "apple").bytes(), "other-product"),
                (Data(content.dropLast(10)), "refused-package"), (content + Data([1]), "refused-package"),
            ] {
                let refused = try await program.send(.put, Self.path, file: file)
                #expect(try refused.status == .badRequest && refused.problems == ["file \(problem)"], "\(refused.text)")
                let error = try refused.object()["error"] as? [String: Any]
                let field = (error?["fields"] as? [[String: Any]])?.first
                #expect(problem != "other-product" || field?["detail"] as? String == "apple")
            }
            #expect(try await store.count("content_version") == 0)
            #expect(try await store.count("content_upload") == 0)
            #expect(try await program.send(.put, Self.path, file: content).status == .ok)
            let other = try await program.send(.put, Self.path, file: try Self.content(seed: 2))
            #expect(try other.problems == ["file other-bytes"])
            try await store.registerProduct(by: holder)
            let consumable = Self.path.replacing("/book/", with: "/banana/")
            #expect(try await program.send(.put, consumable, file: content).status == .badRequest)
            let unknown = Self.path.replacing("/book/", with: "/unknown/")
            #expect(try await program.send(.put, unknown, file: content).status == .notFound)
            #expect(try await store.count("content_version") == 1)
        }
    }

    @Test("A full quota is named, and leaves nothing behind")
    func noRoom() async throws {
        try await Self.withBook(quota: 1000) { store, program, _ in
            let over = try await program.send(.put, Self.path, file: try Self.content())
            #expect(try over.problems == ["file over-quota"])
            #expect(try await store.count("content_upload") == 0)
        }
    }

    @Test("Two uploads of one package at a time both succeed, and publish it once")
    func races() async throws {
        try await Self.withBook { store, program, _ in
            let content = try Self.content(bytes: 20_000)
            let answers = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<2 {
                    group.addTask { try await program.send(.put, Self.path, file: content).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers == [.ok, .ok])
            #expect(try await store.count("content_version") == 1)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The `.storekit` files and the tables of Connect's API.
struct ConnectAPIFileTests {
    private static let file = "apps/\(TestStore.bundleIdentifier)/file"
    private static let table = "apps/\(TestStore.bundleIdentifier)/table"
    private static let changed = TestStore.catalogue.replacing("0.99", with: "1.29")

    private func values(_ comparison: TestResponse) throws -> [[String: Any]] {
        let changes = try #require(try comparison.object()["changes"] as? [[String: Any]])
        return changes.flatMap { $0["values"] as? [[String: Any]] ?? [] }
    }

    @Test("A program compares a file, imports it once and downloads it", arguments: Engine.servers)
    func whole(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .developer, of: holder, store)
            let comparison = try await program.send(.put, "\(Self.file)/comparison?name=fruit.storekit", Self.changed)
            #expect(comparison.status == .ok, "\(comparison.text)")
            #expect(try comparison.object()["name"] as? String == "fruit.storekit")
            let values = try values(comparison)
            #expect(values.contains { $0["before"] as? String == "0.99" && $0["after"] as? String == "1.29" })
            #expect(try await store.registration("apple", as: holder).product.milliunits == 990)
            let again = try await program.send(.get, "\(Self.file)/comparison")
            #expect(again.headers[.eTag] == comparison.headers[.eTag])
            #expect(try await program.send(.post, "\(Self.file)/import").status == .badRequest)
            // The second call is that after a lost answer.
            for _ in 0..<2 {
                let imported = try await program.send(.post, "\(Self.file)/import", tag: comparison.headers[.eTag])
                #expect(imported.status == .noContent, "\(imported.text)")
            }
            #expect(try await store.registration("apple", as: holder).product.milliunits == 1290)
            let log = try await store.service.teamReader.changes(as: holder).entries
            let imports = log.filter { $0.kind == .fileImported }
            #expect(imports.count == 1 && imports[0].user.hasPrefix("API key "))
            #expect(try await program.send(.get, "\(Self.file)/comparison").status == .notFound)
            let download = try await program.send(.get, Self.file)
            #expect(download.text == Self.changed && download.headers[.cacheControl] == "no-store")
        }
    }

    @Test("An import after a change in between is refused with the new comparison", arguments: Engine.servers)
    func conflict(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .admin, of: holder, store)
            let other = try await ConnectProgram(client, .developer, of: holder, store)
            let comparison = try await program.send(.put, "\(Self.file)/comparison", Self.changed)
            let apple = "apps/\(TestStore.bundleIdentifier)/products/apple"
            let tag = try await other.send(.get, apple).headers[.eTag]
            #expect(try await other.send(.patch, apple, "{\"tier\": 5}", tag: tag).status == .ok)
            let refused = try await program.send(.post, "\(Self.file)/import", tag: comparison.headers[.eTag])
            #expect(refused.status == .conflict && refused.code == "changed")
            #expect(refused.text.contains("4.99") && refused.headers[.eTag] != comparison.headers[.eTag])
            #expect(try await store.registration("apple", as: holder).product.milliunits == 4990)
            // Another key has no file.
            #expect(try await other.send(.get, "\(Self.file)/comparison").status == .notFound)
            #expect(try await other.send(.post, "\(Self.file)/import", tag: refused.headers[.eTag]).code == "invalid")
            let imported = try await program.send(.post, "\(Self.file)/import", tag: refused.headers[.eTag])
            #expect(imported.status == .noContent)
            #expect(try await store.registration("apple", as: holder).product.milliunits == 1290)
        }
    }

    @Test("Files that can't be read or imported, and discarded ones, change nothing", arguments: Engine.servers)
    func wrong(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .admin, of: holder, store)
            for body in ["", "no JSON", "{}\u{0}"] {
                let refused = try await program.send(.put, "\(Self.file)/comparison", body)
                #expect(refused.status == .badRequest && refused.code == "invalid", "\(body)")
            }
            let large = String(repeating: " ", count: AppUpload.largest + 1)
            for path in [Self.file, Self.table] {
                #expect(try await program.send(.put, "\(path)/comparison", large).status == .contentTooLarge)
            }
            let others = try await program.send(.put, "\(Self.file)/comparison?others=drop", Self.changed)
            #expect(try others.problems == ["others unknown"])
            let bad = Self.changed.replacing("\"apple\"", with: "\"a b\"")
            let problems = try await program.send(.put, "\(Self.file)/comparison", bad)
            #expect(problems.status == .ok && problems.text.contains("\"identifier\""))
            let refused = try await program.send(.post, "\(Self.file)/import", tag: problems.headers[.eTag])
            #expect(refused.status == .badRequest)
            for _ in 0..<2 {
                #expect(try await program.send(.delete, "\(Self.file)/comparison").status == .noContent)
            }
            #expect(try await program.send(.get, "\(Self.file)/comparison").status == .notFound)
            #expect(try await store.registration("apple", as: holder).product.milliunits == 990)
        }
    }

    @Test("A comparison lists values up to a limit, and counts the others")
    func limit() {
        func change(_ count: Int) -> AppFileDiff.Change {
            AppFileDiff.Change(
                subject: .app, kind: .changed,
                values: (0..<count).map { ValueChange(name: .title("\($0)"), before: nil, after: "A") })
        }
        let part = [ConnectAnswers.ComparedObject].first(4, of: [change(2), change(3), change(0), change(5)])
        #expect(part.objects.map(\.values.count) == [2, 2] && part.more == 7)
        let all = [ConnectAnswers.ComparedObject].first(6, of: [change(2), change(3), change(0)])
        #expect(all.objects.map(\.values.count) == [2, 3, 0] && all.more == 0)
    }

    @Test("A program compares a table, and saves it", arguments: Engine.servers)
    func tables(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .developer, of: holder, store)
            let table = try await program.send(.get, Self.table)
            #expect(table.headers[.contentType] == "text/csv; charset=utf-8" && table.text.contains("apple"))
            let wrong = try await program.send(
                .put, "\(Self.table)/comparison", "product_id,price\r\napple,cheap\r\nunknown,1\r\n")
            let problems = try #require(try wrong.object()["problems"] as? [[String: Any]])
            #expect(problems.map { $0["problem"] as? String } == ["price", "unknown-product"])
            #expect(problems.map { $0["line"] as? Int } == [2, 3] && problems[0]["column"] as? String == "price")
            #expect(try await program.send(.post, "\(Self.table)/import", tag: wrong.headers[.eTag]).code == "invalid")
            let comparison = try await program.send(
                .put, "\(Self.table)/comparison", "product_id,price\r\napple,2.49\r\n")
            #expect(try values(comparison).map { $0["after"] as? String } == ["2.49"])
            let saved = try await program.send(.post, "\(Self.table)/import", tag: comparison.headers[.eTag])
            #expect(saved.status == .noContent)
            #expect(try await store.registration("apple", as: holder).product.milliunits == 2490)
        }
    }
}

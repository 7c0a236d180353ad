// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The items of Connect's API.
struct ConnectAPIItemTests {
    private static let book = """
        {"kind": "book", "version": "1.0", "link": "https://seller.example/book", "price": "4.99",
         "prices": {"DEU": "3.99"}, "exclusions": ["JPN"],
         "texts": {"en_US": {"title": "A book", "description": "About\\nfruit"}}}
        """

    private func register(_ program: ConnectProgram, _ body: String = Self.book) async throws -> String {
        let made = try await program.send(.post, "items", body)
        #expect(made.status == .created && made.headers[.eTag] == "\"0\"", "\(made.text)")
        return "items/\(try #require(try made.object()["item"] as? Int))"
    }

    @Test("A program registers an item, finds it and changes it", arguments: Engine.servers)
    func life(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .developer, of: holder, store)
            let path = try await register(program)
            let number = try #require(path.split(separator: "/").last)
            for (query, count) in [("search=BOOK&kind=book", 1), ("kind=song", 0), ("search=\(number)", 1)] {
                let list = try await program.send(.get, "items?\(query)").object()["items"] as? [[String: Any]]
                #expect(list?.count == count, "\(query)")
            }
            let shown = try await program.send(.get, path).object()
            #expect(shown["price"] as? String == "4.99" && shown["prices"] as? [String: String] == ["DEU": "3.99"])
            #expect(shown["exclusions"] as? [String] == ["JPN"] && shown["icon"] == nil)

            let change = """
                {"price": "5.99", "prices": {"DEU": null, "FRA": "6.49"}, "exclusions": [],
                 "texts": {"de_DE": {"title": "Ein Buch"}}}
                """
            // The second is the same change after a lost answer.
            for _ in 0..<2 {
                let changed = try await program.send(.patch, path, change, tag: "\"0\"")
                #expect(changed.status == .ok && changed.headers[.eTag] == "\"1\"", "\(changed.text)")
                let values = try changed.object()
                #expect(values["prices"] as? [String: String] == ["FRA": "6.49"])
                #expect((values["texts"] as? [String: Any])?.keys.sorted() == ["de_DE", "en_US"])
                #expect(values["version"] as? String == "1.0" && values["edits"] as? Int == 1)
            }
            let late = try await program.send(.patch, path, "{\"price\": \"6.99\"}", tag: "\"0\"")
            #expect(late.status == .conflict && late.headers[.eTag] == "\"1\"")
            #expect(try late.saved()["price"] as? String == "5.99")
            #expect(try await program.send(.patch, path, "{\"price\": \"6.99\"}", tag: "\"9\"").status == .conflict)
            #expect(try await client.get("/item/\(number)/FRA/fr").text.contains("6,49"))
            let log = try await store.service.teamReader.changes(as: holder).entries
            #expect(log.prefix(2).map(\.kind) == [.itemChanged, .itemAdded])
            #expect(log.prefix(2).allSatisfy { $0.user.hasPrefix("API key ") })
        }
    }

    @Test("Wrong values name their fields, and nothing is saved")
    func refused() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let program = try await ConnectProgram(client, .developer, of: try await store.setUpTeam(), store)
            let wrong = """
                {"kind": "app", "version": "", "link": "http://seller.example", "price": "free",
                 "prices": {"XXX": "1"}, "exclusions": ["Mars"], "texts": {"en_US": {"title": ""}}}
                """
            let refused = try await program.send(.post, "items", wrong)
            #expect(
                try refused.problems == [
                    "exclusions unknown", "kind unknown", "link malformed", "price malformed", "prices malformed",
                    "texts.en_US.title missing", "version missing",
                ], "\(refused.text)")
            #expect(try await program.send(.post, "items", "{\"item\": 5}").problems == ["item unknown"])
            let path = try await register(program)
            let both = "{\"texts\": {\"en_US\": null}, \"price\": null}"
            let bare = try await program.send(.patch, path, both, tag: "\"0\"")
            #expect(try bare.status == .badRequest && bare.problems.contains("price missing"))
            #expect(try await program.send(.patch, path, "{}").status == .badRequest)
            for path in ["items/0", "items/x", "items/\(Int64.max)"] {
                #expect(try await program.send(.get, path).status == .notFound, "\(path)")
            }
            #expect(try await store.count("item") == 1)
        }
    }

    @Test("A program sets, reads and removes the icon and screenshots", arguments: Engine.servers)
    func images(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let program = try await ConnectProgram(client, .developer, of: try await store.setUpTeam(), store)
            let path = try await register(program)
            for (number, place) in ["icon", "screenshots/1", "screenshots/8"].enumerated() {
                let (image, path) = (TestImage.png(width: 64, height: 64 + number), "\(path)/\(place)")
                #expect(try await program.send(.get, path).status == .notFound)
                for _ in 0..<2 {
                    let set = try await program.send(.put, path, file: image)
                    #expect(set.status == .ok && set.headers[.eTag] == "\"0\"", "\(set.text)")
                }
                let shown = try await program.send(.get, path)
                #expect(shown.headers[.contentType] == "image/png" && shown.headers[.cacheControl] == "no-store")
                #expect(Data(shown.body.readableBytesView) == image)
            }
            let item = try await program.send(.get, path).object()
            #expect((item["screenshots"] as? [[String: Any]])?.map { $0["place"] as? Int } == [1, 8])
            #expect((item["icon"] as? String)?.count == 64)
            for (file, problem) in [(Data(), "missing"), (Data("<svg/>".utf8), "malformed")] {
                let refused = try await program.send(.put, "\(path)/screenshots/2", file: file)
                #expect(try refused.problems == ["screenshot \(problem)"])
            }
            let large = try await program.send(.put, "\(path)/icon", file: Data(count: ItemArtwork.largest + 1))
            #expect(large.status == .contentTooLarge)
            // The images of an item have a limit together.
            let most = TestStore.image + Data(count: ItemArtwork.largest - 10)
            #expect(try await program.send(.put, "\(path)/icon", file: most).problems == ["icon too-large"])
            for place in ["screenshots/0", "screenshots/9", "screenshots/x"] {
                #expect(try await program.send(.put, "\(path)/\(place)", file: TestStore.image).status == .notFound)
            }
            for _ in 0..<2 { #expect(try await program.send(.delete, "\(path)/icon").status == .noContent) }
            #expect(try await program.send(.get, "\(path)/icon").status == .notFound)
            #expect(try await store.count("item_artwork") == 2)
        }
    }

    @Test("A list has pages of 50, and has no items of other teams and no apps", arguments: Engine.servers)
    func pages(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let program = try await ConnectProgram(client, .marketing, of: try await store.setUpTeam(), store)
            let seller = try await store.setUpTeam("flowers", holder: "flora@example.com")
            let path = try await register(try await ConnectProgram(client, .developer, of: seller, store))
            #expect(try await program.send(.get, path).status == .notFound)
            for number in 1...52 { try await store.addItem(Int64(number)) }
            try await store.addItem(60, app: "com.example.app")
            #expect(try await program.send(.get, "items/60").status == .notFound)
            let first = try await program.send(.get, "items").object()
            #expect((first["items"] as? [Any])?.count == 50)
            let next = try #require(first["next"] as? String)
            let rest = try await program.send(.get, "items?after=\(next)").object()
            let items = rest["items"] as? [[String: Any]]
            #expect(items?.map { $0["item"] as? Int } == [51, 52] && rest["next"] == nil)
        }
    }
}

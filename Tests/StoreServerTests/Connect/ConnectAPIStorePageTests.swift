// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer
@testable import StoreService

/// The store pages and the versions of apps in Connect's API.
struct ConnectAPIStorePageTests {
    private static let app = "apps/\(TestStore.bundleIdentifier)"
    private static let page = "\(app)/store-page"
    private static let versions = "\(app)/versions"

    @Test("A program makes a store page, changes it, and gets the values of others", arguments: Engine.servers)
    func storePage(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let program = try await ConnectProgram(client, .developer, of: try await store.setUpTeam(), store)
            let empty = try await program.send(.get, Self.page)
            #expect(try empty.object()["state"] as? String == "unsaved" && empty.headers[.eTag] == "\"0\"")
            let first = """
                {"link": "https://seller.example/fruit", "tier": 1, "prices": {"DEU": "1.19"}, "exclusions": ["JPN"],
                 "texts": {"en_US": {"title": "Fruit", "description": "Apples"}}}
                """
            #expect(try await program.send(.patch, Self.page, first).status == .badRequest)
            let made = try await program.send(.patch, Self.page, first, tag: empty.headers[.eTag])
            let values = try made.object()
            #expect(made.status == .ok && made.headers[.eTag] == "\"1\"", "\(made.text)")
            #expect(values["state"] as? String == "unreleased" && values["tier"] as? Int == 1)
            #expect(values["prices"] as? [String: String] == ["DEU": "1.19"])
            let number = try #require(values["appleId"] as? Int)
            #expect(try await program.send(.get, Self.app).object()["appleId"] as? Int == number)

            let change = "{\"tier\": 2, \"prices\": {\"DEU\": null}, \"firstDay\": \"2012-12-31\"}"
            let changed = try await program.send(.patch, Self.page, change, tag: made.headers[.eTag])
            #expect(try changed.object()["firstDay"] as? String == "2012-12-31", "\(changed.text)")
            #expect(try changed.object()["prices"] as? [String: String] == [:])
            #expect(try changed.object()["link"] as? String == "https://seller.example/fruit")
            let late = try await program.send(.patch, Self.page, "{\"tier\": 3}", tag: made.headers[.eTag])
            #expect(late.status == .conflict && late.headers[.eTag] == changed.headers[.eTag])
            #expect(try late.saved()["tier"] as? Int == 2)
            for (wrong, problem) in [
                ("{\"tier\": 88}", "tier unknown"), ("{\"link\": \"ftp://a\"}", "link malformed"),
                ("{\"price\": \"1\"}", "price unknown"), ("{\"firstDay\": \"soon\"}", "firstDay malformed"),
                ("{\"texts\": {\"en_US\": null}}", "texts.en_US.title missing"),
            ] {
                let refused = try await program.send(.patch, Self.page, wrong, tag: changed.headers[.eTag])
                #expect(try refused.status == .badRequest && refused.problems == [problem], "\(refused.text)")
            }
        }
    }

    @Test("A program sets screenshots at their places, and removes them")
    func screenshots() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let program = try await ConnectProgram(client, .developer, of: try await store.setUpTeam(), store)
            let image = TestImage.png(width: 64, height: 64)
            let path = "\(Self.page)/screenshots"
            #expect(try await program.send(.put, "\(path)/1", file: image).status == .notFound)
            let first = """
                {"link": "https://seller.example/fruit", "tier": 0, "texts": {"en_US": {"title": "Fruit"}}}
                """
            #expect(try await program.send(.patch, Self.page, first, tag: "\"0\"").status == .ok)
            for _ in 0..<2 {
                let set = try await program.send(.put, "\(path)/3", file: image)
                let shown = try #require(try set.object()["screenshots"] as? [[String: Any]], "\(set.text)")
                #expect(shown.count == 1 && shown[0]["place"] as? Int == 3 && shown[0]["digest"] is String)
            }
            for place in ["0", "9", "one"] {
                #expect(try await program.send(.put, "\(path)/\(place)", file: image).status == .notFound)
            }
            let wrong = try await program.send(.put, "\(path)/1", file: Data("<svg/>".utf8))
            #expect(try wrong.problems == ["screenshot malformed"])
            let large = try await program.send(.put, "\(path)/1", file: Data(count: ItemArtwork.largest + 1))
            #expect(large.status == .contentTooLarge)
            for _ in 0..<2 { #expect(try await program.send(.delete, "\(path)/3").status == .noContent) }
            #expect(try await store.count("item_artwork") == 0)
        }
    }

    @Test("A program adds versions, releases one, and removes only those that weren't released")
    func versions() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let program = try await ConnectProgram(client, .developer, of: try await store.setUpTeam(), store)
            for version in ["1.0", "1.1"] {
                let made = try await program.send(.post, Self.versions, "{\"version\": \"\(version)\"}")
                #expect(try made.status == .created && made.object()["state"] as? String == "prepare-for-submission")
            }
            let again = try await program.send(.post, Self.versions, "{\"version\": \"1.0\"}")
            #expect(try again.problems == ["version taken"])
            for _ in 0..<2 {
                let released = try await program.send(.post, "\(Self.versions)/1.0/release")
                #expect(try released.object()["state"] as? String == "ready-for-sale", "\(released.text)")
            }
            #expect(try await program.send(.delete, "\(Self.versions)/1.0").status == .conflict)
            for _ in 0..<2 { #expect(try await program.send(.delete, "\(Self.versions)/1.1").status == .noContent) }
            let list = try #require(
                try await program.send(.get, Self.versions).object()["versions"] as? [[String: Any]])
            #expect(list.count == 1 && list[0]["externalIdentifier"] as? Int != nil && list[0]["released"] is String)
            #expect(try await program.send(.get, "\(Self.versions)/1.1").status == .notFound)
            #expect(try await program.send(.get, "\(Self.versions)?before=1").status == .ok)
            #expect(try await program.send(.get, "\(Self.versions)?before=").status == .ok)
            for before in ["x", "0", "-1"] {
                #expect(try await program.send(.get, "\(Self.versions)?before=\(before)").status == .badRequest)
            }
        }
    }
}

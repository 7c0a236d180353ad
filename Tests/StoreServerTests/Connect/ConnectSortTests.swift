// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

@testable import StoreServer

/// The orders of Connect's lists, in the addresses of its pages and in its API.
struct ConnectSortTests {
    private static let app = "/connect/apps/\(TestStore.bundleIdentifier)"

    /// The addresses of the links above a list, and that of the chosen order.
    private static func sorts(_ page: String) throws -> (all: [String], chosen: [String]) {
        let list = try #require(page.firstMatch(of: /(?s)<nav class="sorting" aria-label="[^"]+">.*?<\/nav>/)).output
        let links = list.matches(of: /<a href="([^"]+)"( aria-current="true")?>[^<]+<\/a>/)
        return (
            links.map { String($0.1).replacing("&amp;", with: "&") },
            links.filter { $0.2 != nil }.map { String($0.1).replacing("&amp;", with: "&") }
        )
    }

    /// The names of the objects of a list, in its order.
    private static func names(_ page: String) -> [String] {
        page.matches(of: /<p><a href="[^"]+"><bdi>([^<]+)<\/bdi><\/a><\/p>/).map { String($0.1) }
    }

    @Test("Each list links to its orders, and names the chosen one", arguments: ["en", "de", "fr"])
    func links(language: String) async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            try await phone.buy("apple", request: "1", as: anna)
            try await store.addItem(7)
            try await store.registerProduct(by: holder)
            try await store.addScreenshot(of: "banana", by: holder)
            let product = try await store.registration("banana", as: holder)
            try await store.service.registeringProduct().submit(
                "banana", of: BundleIdentifier(TestStore.bundleIdentifier), version: product.version, by: holder)
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            for (path, sorts) in [
                ("/connect/apps", ["", "name", "newest"]), (Self.app, ["", "reference", "newest"]),
                ("/connect/items", ["", "name", "newest"]), ("/connect/testers", ["", "newest"]),
                ("/connect/users", ["", "name", "newest"]), ("/connect/transactions", ["", "oldest"]),
                ("/connect/reviews", ["", "newest"]),
            ] {
                let addresses = sorts.map { $0.isEmpty ? path : "\(path)?sort=\($0)" }
                for address in addresses {
                    let page = try await browser.get(address).text
                    let links = try Self.sorts(page)
                    #expect(links.all == addresses && links.chosen == [address], "\(address)")
                    #expect(page.utf8.count < 80_000)
                    // A search keeps the order.
                    let kept = page.contains("<input type=\"hidden\" name=\"sort\"")
                    #expect(kept == (address != path), "\(address)")
                }
                // An unknown order is the usual one, as an unknown filter is none.
                let unknown = try await browser.get("\(path)?sort=x%27--")
                #expect(unknown.status == .ok)
                #expect(try Self.sorts(unknown.text).chosen == [path])
            }
        }
    }

    @Test("The links keep the search and the filters, and the link to the next page keeps the order")
    func pages() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            for number in 0..<60 {
                store.clock.advance(by: .seconds(1))
                try await store.registerProduct(
                    "p\(100 + number)", values: TestStore.productValues("Quince \(99 - number)"), by: holder)
            }
            let browser = try await ConnectBrowser(client, holder, store)
            let first = try await browser.get("\(Self.app)?q=quince%20&kind=Consumable&sort=reference").text
            #expect(Self.names(first) == (40..<90).map { "Quince \($0)" })
            let links = try Self.sorts(first).all
            #expect(links.first == "\(Self.app)?q=quince%20&kind=Consumable")
            #expect(links.last == "\(Self.app)?q=quince%20&kind=Consumable&sort=newest")
            let link = try #require(first.firstMatch(of: /href="([^"]+after=[^"]+)"/)?.1)
            let next = String(link).replacing("&amp;", with: "&")
            #expect(next.contains("&sort=reference&after="))
            #expect(Self.names(try await browser.get(next).text) == (90...99).map { "Quince \($0)" })
            // A place of another order is none.
            let other = try await browser.get("\(Self.app)?q=quince&sort=newest&after=p120").text
            #expect(Self.names(other).first == "Quince 40")
        }
    }

    @Test("The API's lists have the same orders, and refuse another one", arguments: Engine.servers)
    func program(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .admin, of: holder, store)
            for number in 0..<60 {
                store.clock.advance(by: .seconds(number % 2))
                try await store.registerProduct(
                    "p\(100 + number)", values: TestStore.productValues("Quince \(number % 3)"), by: holder)
            }
            let path = "apps/\(TestStore.bundleIdentifier)/products"
            for sort in ["product", "reference", "newest"] {
                var (found, place): ([String], String?) = ([], nil)
                repeat {
                    let after = place.map { "&after=\($0.percentEncodedForQuery)" } ?? ""
                    let page = try await program.send(.get, "\(path)?search=quince%20&sort=\(sort)\(after)").object()
                    let products = try #require(page["products"] as? [[String: Any]])
                    found += products.compactMap { $0["product"] as? String }
                    place = page["next"] as? String
                } while place != nil
                let numbers = found.compactMap { Int($0.dropFirst()).map { $0 - 100 } }
                let expected: [Int] =
                    switch sort {
                    case "reference": (0..<60).sorted { ($0 % 3, $0) < ($1 % 3, $1) }
                    // Each second one has the time of the one before it.
                    case "newest": (0..<60).reversed()
                    default: Array(0..<60)
                    }
                #expect(numbers == expected, "\(sort)")
            }
            for (list, orders) in [
                ("apps", ["bundle", "name", "newest"]), ("users", ["email", "name", "newest"]),
                ("testers", ["email", "newest"]), ("transactions", ["newest", "oldest"]),
            ] {
                for order in orders {
                    #expect(try await program.send(.get, "\(list)?sort=\(order)").status == .ok, "\(list) \(order)")
                }
                let refused = try await program.send(.get, "\(list)?sort=bundle%20DESC")
                #expect(refused.status == .badRequest, "\(list)")
                #expect(try refused.problems == ["sort unknown"])
            }
            let place = try await program.send(.get, "apps?sort=name&after=com.example.a")
            #expect(place.status == .badRequest)
            #expect(try place.problems == ["after malformed"])
        }
    }
}

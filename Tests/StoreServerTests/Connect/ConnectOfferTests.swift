// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreCore
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The pages of offers and codes.
struct ConnectOfferTests {
    private static let app = "/connect/apps/\(TestStore.bundleIdentifier)"
    private static let offers = "\(app)/products/banana/offers"
    private static let codes = "\(app)/codes"

    @Test(
        "An offer and its codes are made by the pages, and downloaded as CSV, in three languages",
        arguments: Engine.servers, ["en", "de", "fr"])
    func whole(engine: Engine, language: String) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            try await store.registerProduct(
                kind: .autoRenewable, values: TestStore.productValues(tier: "3"), by: holder)
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let words = OfferWords.words(try #require(PageLanguage(rawValue: language)))
            #expect(try await browser.get(Self.offers).text.contains(words.none))
            for kind in ["introductory", "promotional", "code", "win-back"] {
                let page = try await browser.get("\(Self.offers)?kind=\(kind)").text
                #expect(page.contains("value=\"add\"") && page.utf8.count < 80_000, "\(kind)")
            }
            let refused = try await browser.send(
                Self.offers,
                [
                    "decision": "add", "kind": "code", "identifier": "spring", "mode": "payAsYouGo", "periods": "2",
                    "price": "9.99", "version": "1",
                ])
            #expect(refused.status == .badRequest && refused.text.contains("value=\"9.99\""))
            #expect(refused.text.contains("id=\"price-problem\"") && refused.text.contains("id=\"new-problem\""))
            let added = try await browser.send(
                Self.offers,
                [
                    "decision": "add", "kind": "code", "identifier": "spring", "mode": "free", "period": "P1M",
                    "new": "yes", "version": "1",
                ])
            #expect(added.headers[.location] == "\(Self.offers)?done=saved")
            let page = try await browser.get(Self.offers).text
            #expect(page.contains("spring") && page.contains("\(Self.codes)?product=banana"))

            let made = try await browser.send(
                Self.codes,
                ["decision": "draw", "product": "banana", "offer": "spring", "name": "March", "count": "3"])
            #expect(made.status == .seeOther)
            let list = try await browser.get("\(Self.codes)?product=banana").text
            let path = try #require(
                list.firstMatch(of: /href="([^"]*\/codes\/[0-9a-f]+\/download)"/).map { String($0.1) })
            let table = try await browser.get(path)
            #expect(table.text.split(separator: "\r\n").count == 4 && table.text.hasPrefix("code,redeemed\r\n"))
            #expect(table.headers[.contentType] == "text/csv; charset=utf-8")
            #expect(list.utf8.count < 80_000 && list.contains("March"))
        }
    }

    @Test(
        "Promo codes of the app itself are made by the page of its codes, in three languages",
        arguments: Engine.servers, ["en", "de", "fr"])
    func ofApp(engine: Engine, language: String) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let words = CodeWords.words(try #require(PageLanguage(rawValue: language)))
            var form = ["decision": "app", "product": "", "name": "Press", "count": "3", "batch": "00112233445566aa"]
            #expect(try await !browser.get(Self.codes).text.contains("value=\"app\""))
            #expect(try await browser.send(Self.codes, form).status == .badRequest)

            try await store.addItem(1001, app: BundleIdentifier(TestStore.bundleIdentifier))
            let page = try await browser.get(Self.codes).text
            #expect(page.contains("value=\"app\"") && page.contains(words.itselfNote) && page.utf8.count < 80_000)
            form["count"] = "101"
            let refused = try await browser.send(Self.codes, form)
            #expect(refused.status == .badRequest && refused.text.contains("id=\"count-problem\""))
            #expect(refused.text.contains("value=\"101\""))
            form["count"] = "3"
            for _ in 0..<2 { #expect(try await browser.send(Self.codes, form).status == .seeOther) }
            #expect(try await store.count("offer_code") == 3)
            let list = try await browser.get(Self.codes).text
            #expect(list.contains("Press") && list.contains(words.itself))
            let path = try #require(
                list.firstMatch(of: /href="([^"]*\/codes\/[0-9a-f]+\/download)"/).map { String($0.1) })
            let table = try await browser.get(path).text
            #expect(table.split(separator: "\r\n").count == 4 && table.hasPrefix("code,redeemed\r\n"))
        }
    }

    @Test(
        "A form of codes that is sent twice makes one batch, and one with other values another",
        arguments: Engine.servers)
    func repeated(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            try await store.registerProduct(by: holder)
            let browser = try await ConnectBrowser(client, holder, store)
            func drawn() async throws -> String {
                let page = try await browser.get("\(Self.codes)?product=banana").text
                let field = /name="product" value="banana">\s*<input type="hidden" name="batch" value="([0-9a-f]{16})"/
                return try String(#require(page.firstMatch(of: field)).1)
            }
            let first = try await drawn()
            var form = [
                "decision": "draw", "product": "banana", "offer": "", "name": "March", "count": "2", "batch": first,
            ]
            for _ in 0..<2 { #expect(try await browser.send(Self.codes, form).status == .seeOther) }
            #expect(try await store.count("offer_code_batch") == 1)
            form["name"] = "April"
            for _ in 0..<2 { #expect(try await browser.send(Self.codes, form).status == .seeOther) }
            #expect(try await store.count("offer_code_batch") == 2)
            #expect(try await drawn() != first)
            let log = try await store.service.teamReader.changes(containing: "codes-made", as: holder).entries
            #expect(log.count == 2)
        }
    }

    @Test(
        "A price is scheduled and cancelled by the page, in three languages", arguments: Engine.servers,
        ["en", "de", "fr"])
    func prices(engine: Engine, language: String) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            try await store.registerProduct(by: holder)
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let words = PriceWords.words(try #require(PageLanguage(rawValue: language)))
            let path = "\(Self.app)/products/banana/prices"
            #expect(try await browser.get(path).text.contains(words.none))
            let form = [
                "decision": "schedule", "country": "DEU", "price": "1.29", "firstDay": "2026-02-01", "version": "",
            ]
            let sent = try await browser.send(path, form)
            #expect(sent.headers[.location] == "\(path)?done=saved")
            let again = try await browser.send(path, form)
            #expect(again.status == .conflict)
            let page = try await browser.get(path).text
            let change = try #require(page.firstMatch(of: /name="change" value="([0-9a-f]+)"/).map { String($0.1) })
            #expect(page.contains("DEU") && page.utf8.count < 80_000)
            let cancelled = try await browser.send(path, ["decision": "cancel", "change": change])
            #expect(cancelled.status == .seeOther)
            #expect(try await browser.get(path).text.contains(words.none))
            let refused = try await browser.send(path, ["decision": "schedule", "price": "<script>", "version": ""])
            #expect(refused.status == .badRequest && !refused.text.contains("<script>"))
        }
    }

    @Test("Hostile names of offers and codes are texts on every page", arguments: Engine.servers)
    func markup(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let attack = "\"><script>x</script>"
            let holder = try await store.setUpTeam()
            try await store.registerProduct(values: TestStore.productValues(attack), by: holder)
            let browser = try await ConnectBrowser(client, holder, store)
            _ = try await browser.send(
                Self.codes, ["decision": "draw", "product": "banana", "offer": "", "name": attack, "count": "1"])
            let query = attack.percentEncodedForQuery
            for path in [
                Self.offers, "\(Self.offers)?kind=\(query)", "\(Self.codes)?product=\(query)",
                "\(Self.codes)?product=banana",
            ] {
                let page = try await browser.get(path)
                #expect(page.status == .ok && !page.text.contains("<script>"), "\(path)")
            }
            let unknown = try await browser.get("\(Self.codes)?before=\(query)")
            #expect(unknown.status == .badRequest && !unknown.text.contains("<script>"))
            for form in [
                ["decision": "word", "product": attack, "offer": attack, "word": attack, "limit": attack],
                ["decision": "add", "kind": attack, "identifier": attack, "mode": attack, "prices": attack],
            ] {
                for path in [Self.codes, Self.offers] {
                    let page = try await browser.send(path, form)
                    #expect(page.status.code == 400 && !page.text.contains("<script>"), "\(path)")
                }
            }
            #expect(try await browser.get("\(Self.codes)/\(query)/download").status == .notFound)
        }
    }
}

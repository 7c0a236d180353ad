// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer
@testable import StoreService

/// The pages of items other than apps.
struct ConnectItemTests {
    private static let form = [
        "decision": "add", "kind": "book", "version": "1.0", "link": "https://seller.example/book", "price": "4.99",
        "prices": "DEU 3.99", "exclusions": "JPN", "title-en_US": "A <b>book", "description-en_US": "About\nfruit",
    ]

    /// The page of a registered item.
    private static func registered(_ browser: ConnectBrowser, _ values: [String: String] = [:]) async throws -> String {
        let answer = try await browser.send("/connect/new-item", form.merging(values) { $1 })
        let location = try #require(answer.headers[.location], "\(answer.status)")
        return String(location.prefix { $0 != "?" })
    }

    @Test("An item is registered, found, changed and sold on its page", arguments: Engine.servers, ["en", "de", "fr"])
    func life(engine: Engine, language: String) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let words = TeamItemWords.words(language == "de" ? .german : language == "fr" ? .french : .english)
            #expect(try await browser.get("/connect/items").text.contains(words.new))
            let path = try await Self.registered(browser)
            let number = try #require(path.split(separator: "/").last)
            #expect(try await browser.get("/connect/items?q=BOOK&kind=book").text.contains(path))
            #expect(try await !browser.get("/connect/items?kind=song").text.contains(path))
            let page = try await browser.get(path).text
            #expect(page.contains("DEU 3.99") && page.contains("A &lt;b&gt;book") && page.utf8.count < 80_000)
            #expect(try await client.get("/item/\(number)/DEU/de").text.contains("3,99"))

            let change = Self.form.merging(["decision": "save", "price": "5.99", "edits": "0"]) { $1 }
            #expect(try await browser.send(path, change).status == .seeOther)
            // The same form again is as saved; an old one with other values isn't carried out.
            #expect(try await browser.send(path, change).status == .seeOther)
            let old = try await browser.send(path, change.merging(["price": "6.99"]) { $1 })
            #expect(old.status == .conflict && old.text.contains("6.99") && old.text.contains("5.99"))
            let changes = try await store.service.teamReader.changes(containing: "", before: .max, as: holder).entries
            #expect(changes.map(\.kind).prefix(2) == [.itemChanged, .itemAdded])
        }
    }

    @Test("Values that can't be saved are named beside their fields, and kept")
    func typed() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let browser = try await ConnectBrowser(client, try await store.setUpTeam(), store)
            let wrong = [
                "kind": "app", "version": "", "link": "http://seller.example", "price": "free", "prices": "XXX 1",
                "exclusions": "Mars", "title-en_US": "", "description-en_US": "",
            ]
            let answer = try await browser.send("/connect/new-item", Self.form.merging(wrong) { $1 })
            #expect(answer.status == .badRequest && answer.text.contains("http://seller.example"))
            for field in ["kind", "version", "link", "price", "prices", "exclusions", "title-en_US"] {
                #expect(answer.text.contains("id=\"\(field)-problem\""), "\(field)")
            }
            #expect(try await store.count("item") == 0)
        }
    }

    @Test("Images are saved, shown on the item's page, limited and removed")
    func images() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let browser = try await ConnectBrowser(client, try await store.setUpTeam(), store)
            let path = try await Self.registered(browser)
            let number = try #require(path.split(separator: "/").last)
            let icon = TestImage.png(width: 64, height: 64)
            let upload = ["decision": "upload", "image": "icon"]
            #expect(try await browser.upload(path, upload, file: icon, named: "icon").status == .seeOther)
            for side in 1...ItemArtwork.screenshots + 1 {
                let image = TestImage.png(width: 64, height: side)
                let form = ["decision": "upload", "image": "screenshot"]
                let answer = try await browser.upload(path, form, file: image, named: "screenshot")
                #expect(answer.status == (side > ItemArtwork.screenshots ? .badRequest : .seeOther), "\(side)")
            }
            #expect(try await store.count("item_artwork") == 9)
            let page = try await browser.get(path)
            #expect(page.headers[.contentSecurityPolicy]?.contains("img-src 'self'") == true)
            let address = try #require(page.text.firstMatch(of: /img src="([^"]+)"/)?.1)
            #expect(try await client.get(String(address)).headers[.contentType] == "image/png")
            #expect(try await client.get("/item/\(number)/USA/en").text.contains("/artwork/\(number)/"))
            for file in [Data(), Data("<svg/>".utf8)] {
                #expect(try await browser.upload(path, upload, file: file, named: "icon").status == .badRequest)
            }
            for _ in 0..<2 {
                #expect(try await browser.send(path, ["decision": "remove-image", "place": "0"]).status == .seeOther)
            }
            #expect(try await store.count("item_artwork") == 8)
        }
    }

    @Test("An item of another team isn't found, and those of storectl are the operator's")
    func teams() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await ConnectBrowser(client, try await store.setUpTeam(), store)
            let seller = try await store.setUpTeam("flowers", holder: "flora@example.com")
            let browser = try await ConnectBrowser(client, seller, store)
            let path = try await Self.registered(browser)
            #expect(try await holder.get(path).status == .notFound)
            #expect(try await holder.send(path, ["decision": "save", "edits": "0"]).status == .notFound)
            #expect(try await browser.get("/connect/items/x").status == .notFound)
            try await store.addItem(5)
            #expect(try await browser.get("/connect/items/5").status == .notFound)
            let own = try await holder.get("/connect/items/5")
            #expect(own.status == .ok)
        }
    }

    @Test("Production sells an item of a team without a contract only for nothing", arguments: Engine.servers)
    func contract(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production)
            try await store.withHTTP { client in
                _ = try await store.setUpTeam()
                let seller = try await store.setUpTeam("flowers", holder: "flora@example.com")
                let account = try await store.addAccount("anna@example.com")
                let browser = try await ConnectBrowser(client, seller, store)
                for (price, isSold) in [("0", true), ("0.99", false)] {
                    let path = try await Self.registered(browser, ["price": price, "prices": ""])
                    let number = try #require(path.split(separator: "/").last.flatMap { Int64($0) })
                    let page = try await client.get("/item/\(number)/USA/en").text
                    #expect(page.contains("action=\"/item/\(number)/buy\"") == isSold, "\(price)")
                    #expect(page.contains("id=\"not-sold\"") == !isSold, "\(price)")
                    let order = try await OrderingItem(store.context)(number, for: account)
                    if case .refused = order { #expect(!isSold, "\(price)") } else { #expect(isSold, "\(price)") }
                    guard !isSold else { continue }
                    try await store.signContract(by: seller)
                    #expect(try await !client.get("/item/\(number)/USA/en").text.contains("id=\"not-sold\""))
                }
            }
        }
    }

    @Test("A team has at most a thousand items, also when two users register one at a time", arguments: Engine.servers)
    func limit(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam("flowers", holder: "flora@example.com")
            let browser = try await ConnectBrowser(client, holder, store)
            let first = try await Self.registered(browser)
            let number = try #require(first.split(separator: "/").last.flatMap { Int64($0) })
            try await store.context.write(.catalogue(of: Item.catalogue)) { db in
                guard var item = try Item.find(number, db) else { return }
                for other in 1...Int64(RegisteringItem.limit - 2) {
                    item.identifier = other
                    try item.save(db)
                }
            }
            let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
                for _ in 0..<2 { group.addTask { try await browser.send("/connect/new-item", Self.form) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.map(\.status).sorted { $0.code < $1.code } == [.seeOther, .badRequest])
            #expect(answers.contains { $0.text.contains("at most 1000 items") })
            #expect(try await store.count("item") == RegisteringItem.limit)
            // The items of other teams don't count, and those of the team can be changed.
            let other = try await store.setUpTeam("fruit", holder: "frida@example.com")
            _ = try await Self.registered(try await ConnectBrowser(client, other, store))
            let change = Self.form.merging(["decision": "save", "price": "5.99", "edits": "0"]) { $1 }
            #expect(try await browser.send(first, change).status == .seeOther)
        }
    }

    @Test("Texts of another language are marked beside the fields in which they were typed")
    func newLanguage() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let browser = try await ConnectBrowser(client, try await store.setUpTeam(), store)
            let path = try await Self.registered(browser)
            let change = Self.form.merging(["decision": "save", "edits": "0", "newLocale": "fr_FR"]) { $1 }
            let long = [
                "newTitle": String(repeating: "x", count: 201), "newDescription": String(repeating: "y", count: 4001),
            ]
            let answer = try await browser.send(path, change.merging(long) { $1 })
            #expect(answer.status == .badRequest)
            for field in ["newTitle", "newDescription"] { #expect(answer.text.contains("id=\"\(field)-problem\"")) }
            let untitled = try await browser.send(path, change.merging(["newDescription": "Un livre"]) { $1 })
            #expect(untitled.status == .badRequest && untitled.text.contains("id=\"newTitle-problem\""))
            let saved = try await browser.send(path, change.merging(["newTitle": "Un livre"]) { $1 })
            #expect(saved.status == .seeOther)
        }
    }

    @Test("An item that the operator has added with the longest texts and other languages can be changed")
    func longTexts() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let browser = try await ConnectBrowser(client, holder, store)
            let (title, description) = (String(repeating: "é", count: 200), String(repeating: "y", count: 4000))
            // Languages that no storefront has, and one that many have.
            let others = "abcdefghijklmnopqrstuvwxyz".flatMap { ["x\($0)", "y\($0)"] }
            let locales = others.prefix(Item.languages - 1) + ["en_US"]
            let item = try Item(
                identifier: 5, kind: .book, app: nil, seller: "Seller", version: String(repeating: "1", count: 50),
                link: "https://seller.example/book", price: "4.99", prices: [:], notSoldIn: [],
                texts: locales.map { Product.Localization(locale: $0, title: title, description: description) })
            try await AddingItem(store.context)(item, ItemGallery())
            var change = [
                "decision": "save", "edits": "0", "kind": "book", "version": item.version, "link": item.link,
                "price": "5.99", "prices": "", "exclusions": "",
            ]
            for text in item.product.localizations {
                change["title-\(text.locale)"] = text.title
                change["description-\(text.locale)"] = text.description
            }
            #expect(try await browser.get("/connect/items/5").text.contains("name=\"title-xa\""))
            #expect(try await browser.send("/connect/items/5", change).status == .seeOther)
            let found = try await store.service.itemReader.item(5, as: holder).item
            #expect(found.product.milliunits == 5990 && found.product.localizations == item.product.localizations)
            change.merge(["newLocale": "fr_FR", "newTitle": "One more", "edits": "1"]) { $1 }
            let more = try await browser.send("/connect/items/5", change)
            #expect(more.status == .badRequest && more.text.contains("id=\"newLocale-problem\""))
        }
    }
}

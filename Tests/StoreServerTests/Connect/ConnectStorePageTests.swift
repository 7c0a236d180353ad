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

/// The store pages and the versions of apps.
struct ConnectStorePageTests {
    private static let app = "/connect/apps/\(TestStore.bundleIdentifier)"
    private static let page = "\(app)/store-page"
    private static let versions = "\(app)/versions"
    private static let form = [
        "decision": "save", "link": "https://seller.example/fruit", "tier": "1", "prices": "DEU 1.19",
        "exclusions": "JPN", "firstDay": "", "title-en_US": "A <b>shop", "description-en_US": "Apples\nand pears",
        "version": "0",
    ]

    private static func language<Words: PageWords>(_ code: String, _ words: Words.Type) -> Words {
        words.words(code == "de" ? .german : code == "fr" ? .french : .english)
    }

    @Test(
        "A store page is saved and sold from its first release on", arguments: Engine.servers, ["en", "de", "fr"])
    func life(engine: Engine, language: String) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let words = Self.language(language, StorePageWords.self)
            #expect(try await browser.get(Self.app).text.contains(Self.language(language, AppWords.self).noNumber))
            let empty = try await browser.get(Self.page).text
            #expect(empty.contains(words.unsaved) && empty.utf8.count < 80_000)
            // A browser chooses no tier: the first one is free.
            #expect(empty.contains("<option value=\"\" selected>"))
            for _ in 0..<2 { #expect(try await browser.send(Self.page, Self.form).status == .seeOther) }
            let found = try await store.service.storePageReader(
                of: BundleIdentifier(TestStore.bundleIdentifier), as: holder)
            let item = try #require(found.item)
            #expect(item.edits == 0 && item.team == holder.team && found.app.appleIdentifier == item.identifier)
            let saved = try await browser.get(Self.page).text
            #expect(saved.contains(words.unreleased) && saved.contains("DEU 1.19") && saved.contains("A &lt;b&gt;shop"))
            #expect(saved.utf8.count < 80_000)
            let address = "/app/\(item.identifier)/DEU/\(language)"
            #expect(try await !client.get(address).text.contains("id=\"order\""))

            #expect(try await browser.send(Self.versions, ["decision": "add", "version": "1.0"]).status == .seeOther)
            let release = ["decision": "release", "release": "1.0"]
            for _ in 0..<2 { #expect(try await browser.send(Self.versions, release).status == .seeOther) }
            let sold = try await client.get(address).text
            #expect(sold.contains("id=\"order\"") && sold.contains("1.0"))
            #expect(try await browser.get(Self.page).text.contains(words.sold))
            #expect(try await browser.get(Self.versions).text.contains(words.ready))
            let changes = try await store.service.teamReader.changes(as: holder).entries
            #expect(changes.map(\.kind).prefix(3) == [.appVersion, .appVersion, .storePageChanged])
        }
    }

    @Test("The form of a second user isn't saved, and both values are shown")
    func secondUser() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let browser = try await ConnectBrowser(client, try await store.setUpTeam(), store)
            #expect(try await browser.send(Self.page, Self.form).status == .seeOther)
            // This form is of the page before the first save.
            let second = Self.form.merging(["link": "https://seller.example/other"]) { $1 }
            let refused = try await browser.send(Self.page, second)
            #expect(refused.status == .conflict && refused.text.contains("https://seller.example/other"))
            #expect(refused.text.contains("https://seller.example/fruit"))
            #expect(try await browser.send(Self.page, second.merging(["version": "1"]) { $1 }).status == .seeOther)
            // A change of the operator is a change of the page.
            let number = try #require(try await store.item(of: TestStore.bundleIdentifier)).identifier
            try await store.addItem(number, app: BundleIdentifier(TestStore.bundleIdentifier), version: "2.0")
            let late = try await browser.send(Self.page, Self.form.merging(["version": "2"]) { $1 })
            #expect(late.status == .conflict && late.text.contains("https://seller.example/item"))
        }
    }

    @Test("Values that can't be saved are named beside their fields, and kept")
    func typed() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let browser = try await ConnectBrowser(client, try await store.setUpTeam(), store)
            let wrong = [
                "link": "http://seller.example", "tier": "88", "prices": "XXX 1", "exclusions": "Mars",
                "firstDay": "soon", "title-en_US": "",
            ]
            let answer = try await browser.send(Self.page, Self.form.merging(wrong) { $1 })
            #expect(answer.status == .badRequest && answer.text.contains("http://seller.example"))
            for field in ["link", "tier", "prices", "exclusions", "firstDay", "title-en_US"] {
                #expect(answer.text.contains("id=\"\(field)-problem\""), "\(field)")
            }
            let late = try await browser.send(Self.page, Self.form.merging(["firstDay": "2999-01-01"]) { $1 })
            #expect(late.status == .badRequest && late.text.contains("id=\"firstDay-problem\""))
            #expect(try await store.count("item") == 0)
            for version in ["", "1.0 beta", "1.2.3.4", "v1", String(repeating: "1", count: 19)] {
                let answer = try await browser.send(Self.versions, ["decision": "add", "version": version])
                #expect(answer.status == .badRequest && answer.text.contains("id=\"version-problem\""), "\(version)")
            }
            #expect(try await store.count("app_version") == 0)
        }
    }

    @Test("Before its first day, a page names the day and sells nothing")
    func firstDay() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let browser = try await ConnectBrowser(client, holder, store)
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            let registering = try store.service.registeringVersion()
            try await registering.add("1.0", to: app, by: holder)
            try await registering.release("1.0", of: app, by: holder)
            let first = WallTime(milliseconds: (store.clock.now.milliseconds / 86_400_000 + 2) * 86_400_000)
            let day = CivilDate(dayNumber: Int(first.milliseconds / 86_400_000)).text
            let form = Self.form.merging(["firstDay": day]) { $1 }
            #expect(try await browser.send(Self.page, form).status == .seeOther)
            let item = try #require(try await store.item(of: app.rawValue))
            let address = "/app/\(item.identifier)/USA/en"
            let waiting = try await client.get(address).text
            #expect(waiting.contains(PageLanguage.english.date(first)) && !waiting.contains("id=\"order\""))
            let anna = try await store.addAccount("anna@example.com")
            guard case .refused = try await OrderingItem(store.context)(item.identifier, for: anna) else {
                Issue.record("the app is sold before its first day")
                return
            }
            store.clock.advance(by: .seconds(2 * 86_400))
            #expect(try await client.get(address).text.contains("id=\"order\""))
            let bought = try await store.buyItem(item.identifier, as: anna)
            #expect(bought.transactionIdentifier != nil)
        }
    }

    @Test("Screenshots are saved, shown, limited and removed")
    func screenshots() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let browser = try await ConnectBrowser(client, try await store.setUpTeam(), store)
            let upload = ["decision": "upload", "image": "screenshot"]
            let image = TestImage.png(width: 64, height: 64)
            // There is no page that has them.
            #expect(try await browser.upload(Self.page, upload, file: image, named: "screenshot").status == .notFound)
            #expect(try await browser.send(Self.page, Self.form).status == .seeOther)
            for side in 1...ItemArtwork.screenshots + 1 {
                let image = TestImage.png(width: 64, height: side)
                let answer = try await browser.upload(Self.page, upload, file: image, named: "screenshot")
                #expect(answer.status == (side > ItemArtwork.screenshots ? .badRequest : .seeOther), "\(side)")
            }
            let item = try #require(try await store.item(of: TestStore.bundleIdentifier))
            let shown = try await client.get("/app/\(item.identifier)/USA/en").text
            #expect(shown.contains("/artwork/\(item.identifier)/"))
            let remove = ["decision": "remove-image", "place": "8"]
            for _ in 0..<2 { #expect(try await browser.send(Self.page, remove).status == .seeOther) }
            // The icon of an app is on another page.
            let icon = try await browser.send(Self.page, ["decision": "remove-image", "place": "0"])
            #expect(icon.status == .badRequest)
            #expect(try await store.count("item_artwork") == 7)
        }
    }

    @Test("A version is released once, replaced by the next one, and removed only before")
    func versions() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let browser = try await ConnectBrowser(client, holder, store)
            for version in ["1.0", "1.1", "2"] {
                let add = ["decision": "add", "version": version]
                #expect(try await browser.send(Self.versions, add).status == .seeOther)
                // It is registered already.
                #expect(try await browser.send(Self.versions, add).status == .badRequest)
            }
            func send(_ decision: String, _ version: String) async throws -> HTTPResponse.Status {
                try await browser.send(Self.versions, ["decision": decision, "release": version]).status
            }
            #expect(try await send("release", "1.0") == .seeOther)
            #expect(try await send("release", "1.1") == .seeOther)
            #expect(try await send("release", "1.0") == .conflict)
            #expect(try await send("remove", "1.0") == .conflict)
            #expect(try await send("remove", "1.1") == .conflict)
            for _ in 0..<2 { #expect(try await send("remove", "2") == .seeOther) }
            #expect(try await send("release", "2") == .notFound)
            let page = try await store.service.versionReader.page(
                of: BundleIdentifier(TestStore.bundleIdentifier), as: holder)
            #expect(page.entries.map(\.version) == ["1.1", "1.0"])
            #expect(page.entries.map(\.state) == [.ready, .replaced])
            #expect(Set(page.entries.map(\.externalIdentifier)).count == 2)
        }
    }
}

extension TestStore {
    /// The item of an app; `nil` when there is none.
    fileprivate func item(of app: String) async throws -> Item? {
        try await context.read { db in try Item.find(app: BundleIdentifier(app), db) }
    }
}

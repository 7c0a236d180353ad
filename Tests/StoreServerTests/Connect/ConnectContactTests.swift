// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreCore
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The bonus of a subscription for a shared contact, and the page with the contacts of an app.
struct ConnectContactTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)
    private static let page = "/connect/apps/\(TestStore.bundleIdentifier)/contacts"
    private static let magazine = [
        "decision": "register", "kind": "Auto-Renewable Subscription", "product": "magazine", "reference": "Magazine",
        "group": "", "newGroup": "Magazines", "period": "P1M", "level": "1", "tier": "5", "cleared": "yes",
        "title-en_US": "Magazine", "description-en_US": "Every month", "contactBonus": "P1M",
    ]

    /// A customer buys the magazine on a device of the own, and shares a name.
    private func buy(_ store: TestStore, _ number: UInt8, name: String) async throws {
        let account = try await store.addAccount("customer-\(number)@example.com")
        let device = try await store.addDevice(number)
        let token = try device.token(try await device.ask("magazine", request: "1").sheet)
        _ = try await store.service.buy(
            onSheet: token, as: account, shown: nil,
            contact: SharedContact(name: name, email: "", postcode: "1010", of: account))
        store.clock.advance(by: .seconds(1))
    }

    @Test(
        "A subscription gets a bonus for a contact, and its contacts are listed and downloaded, in three languages",
        arguments: Engine.servers, ["en", "de", "fr"])
    func whole(engine: Engine, language: String) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let words = ContactWords.words(try #require(PageLanguage(rawValue: language)))
            let list = try await browser.get(Self.page)
            #expect(list.text.contains(words.none) && !list.text.contains("contacts/download"))

            let form = try await browser.get(
                "/connect/apps/\(Self.app)/new-product?kind=Auto-Renewable%20Subscription")
            #expect(form.text.contains("name=\"contactBonus\"") && form.text.contains(words.noBonus))
            _ = try await browser.send("/connect/apps/\(Self.app)/new-product", Self.magazine)
            let product = try await browser.get("/connect/apps/\(Self.app)/products/magazine")
            #expect(product.text.contains("<option value=\"P1M\" selected>"))
            try await buy(store, 1, name: "Anna <Ast>")
            try await buy(store, 2, name: "=Berta")

            let listed = try await browser.get(Self.page).text
            #expect(listed.contains("Anna &lt;Ast&gt;") && listed.contains("customer-1@example.com"))
            #expect(listed.contains("href=\"\(Self.page)/download\"") && listed.contains("1010"))
            #expect(try await browser.get("/connect/apps/\(Self.app)").text.contains("href=\"\(Self.page)\""))
            let table = try await browser.get("\(Self.page)/download")
            #expect(table.headers[.contentDisposition]?.hasPrefix("attachment") == true)
            let lines = table.text.split(whereSeparator: \.isNewline).map(String.init)
            #expect(lines[0] == "\u{FEFF}name,email,postcode,product_id,transaction_id,shared_at" && lines.count == 3)
            #expect(lines[1].hasPrefix("Anna <Ast>,customer-1@example.com,1010,magazine,2"))
            // A spreadsheet doesn't take a name for a formula.
            #expect(lines[2].hasPrefix("'=Berta,"))
            let kinds = LogWords.words(try #require(PageLanguage(rawValue: language)))
            #expect(try await browser.get("/connect/log").text.contains(kinds.name(.contactsDownloaded)))
        }
    }

    @Test(
        "A page and a table begin after a place, and only roles with the right see contacts", arguments: Engine.servers)
    func pages(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let browser = try await ConnectBrowser(client, holder, store)
            _ = try await browser.send("/connect/apps/\(Self.app)/new-product", Self.magazine)
            try await buy(store, 1, name: "Anna")
            try await buy(store, 2, name: "Berta")
            let all = try await ListingContacts(store.context)(of: Self.app)
            let place = try #require(all.first?.position.text)
            #expect(ListingContacts.Position(text: place) == all.first?.position)

            let page = try await browser.get("\(Self.page)?after=\(place)").text
            #expect(!page.contains("Anna") && page.contains("Berta"))
            #expect(try await browser.get("\(Self.page)/download?after=\(place)").text.contains("Berta"))
            let path = "apps/\(Self.app)/contacts"
            let marketing = try await ConnectProgram(client, .marketing, of: holder, store)
            let answer = try await marketing.send(.get, "\(path)?after=\(place)").object()
            let contacts = try #require(answer["contacts"] as? [[String: Any]])
            #expect(contacts.map { $0["name"] as? String } == ["Berta"] && answer["next"] == nil)
            let table = try await marketing.send(.get, path, accept: "text/csv")
            #expect(table.text.split(whereSeparator: \.isNewline).count == 3)
            // Tables are in the log of the team, pages aren't.
            let log = try await store.service.teamReader.changes(containing: "contacts", as: holder).entries
            #expect(log.map(\.kind) == [.contactsDownloaded, .contactsDownloaded])
            #expect(log.map(\.after) == ["contacts: 2", "contacts: 1, after \(place)"])
            #expect(log.allSatisfy { $0.subject == TestStore.bundleIdentifier && $0.before.isEmpty })
            #expect(log.last?.user == holder.email && log.first?.user != holder.email)
            for wrong in ["x", "1-", "-1"] where wrong != "" {
                #expect(try await marketing.send(.get, "\(path)?after=\(wrong)").status == .badRequest)
            }
            let developer = try await ConnectProgram(client, .developer, of: holder, store)
            for accept in ["application/json", "text/csv"] {
                #expect(try await developer.send(.get, path, accept: accept).status == .forbidden)
            }
            // A contact is deleted with its account.
            try await ClosingAccount(store.context)(email: "customer-1@example.com")
            #expect(try await !browser.get(Self.page).text.contains("Anna"))
        }
    }

    @Test("A program sets and removes the bonus of a subscription, at most a year")
    func program() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .admin, of: holder, store)
            let products = "apps/\(Self.app)/products"
            let made = try await program.send(
                .post, products,
                """
                {"product": "magazine", "kind": "Auto-Renewable Subscription", "reference": "Magazine", "tier": 5,
                "newGroup": "Magazines", "period": "P1M", "contactBonus": "P2M"}
                """)
            func bonus(_ response: TestResponse) throws -> String? {
                (try response.object()["subscription"] as? [String: Any])?["contactBonus"] as? String
            }
            #expect(try bonus(made) == "P2M")
            let path = "\(products)/magazine"
            let same = try await program.send(.patch, path, "{\"level\": 2}", tag: made.headers[.eTag])
            #expect(try bonus(same) == "P2M")
            let wrong = try await program.send(.patch, path, "{\"contactBonus\": \"P2Y\"}", tag: same.headers[.eTag])
            #expect(try wrong.problems == ["contactBonus malformed"])
            let none = try await program.send(.patch, path, "{\"contactBonus\": null}", tag: same.headers[.eTag])
            #expect(try none.status == .ok && bonus(none) == nil)
        }
    }
}

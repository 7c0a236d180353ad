// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreCore
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The pages on which apps and products are registered.
struct ConnectProductTests {
    private static let product: [String: String] = [
        "decision": "register", "kind": "Consumable", "product": "kiwi", "reference": "Kiwi", "tier": "2",
        "cleared": "yes", "title-en_US": "Kiwi", "description-en_US": "A kiwi",
    ]

    @Test(
        "An app and a product are registered by the pages and sold, in three languages", arguments: Engine.servers,
        ["en", "de", "fr"])
    func whole(engine: Engine, language: String) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let words = ProductWords.words(try #require(PageLanguage(rawValue: language)))
            let registered = try await browser.send(
                "/connect/apps",
                [
                    "decision": "register", "bundle": "com.example.basket", "name": "Basket", "sku": "1",
                    "locale": "en_US",
                ])
            #expect(registered.headers[.location] == "/connect/apps/com.example.basket?done=app")
            let app = try await browser.get("/connect/apps/com.example.basket?done=app")
            #expect(app.text.contains(words.none) && app.text.contains("role=\"status\""))
            let link = "/connect/apps/com.example.basket/new-product?kind=Auto-Renewable%20Subscription"
            #expect(app.text.contains("href=\"\(link)\""))
            let subscription = try await browser.get(link)
            #expect(subscription.text.contains("name=\"newGroup\"") && subscription.text.contains("value=\"P1Y\""))
            #expect(subscription.text.utf8.count < 80_000)

            let made = try await browser.send("/connect/apps/com.example.basket/new-product", Self.product)
            #expect(made.headers[.location] == "/connect/apps/com.example.basket/products/kiwi?done=product")
            let page = try await browser.get("/connect/apps/com.example.basket/products/kiwi")
            #expect(page.text.contains(words.sold) && page.text.contains("<option value=\"2\" selected>"))
            #expect(page.text.utf8.count < 80_000)
            let phone = try await store.addDevice()
            let answer = try await phone.call(
                ProductsCall(
                    bundleIdentifier: "com.example.basket", productIdentifiers: ["kiwi"], languages: ["en_US"]))
            #expect(answer.products.map(\.productIdentifier) == ["kiwi"])
        }
    }

    @Test("Texts of another language are marked beside the fields in which they were typed")
    func newLanguage() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            try await store.registerProduct(by: holder)
            let browser = try await ConnectBrowser(client, holder, store)
            let form = [
                "decision": "save", "reference": "Banana", "tier": "1", "cleared": "yes", "version": "1",
                "title-en_US": "Banana", "description-en_US": "A banana", "newLocale": "fr_FR",
                "newTitle": String(repeating: "x", count: ProductRegistration.longestTitle + 1),
                "newDescription": String(repeating: "y", count: ProductRegistration.longestDescription + 1),
            ]
            let answer = try await browser.send(
                "/connect/apps/\(TestStore.bundleIdentifier)/products/banana", form)
            #expect(answer.status == .badRequest)
            for field in ["newTitle", "newDescription"] {
                #expect(answer.text.contains("id=\"\(field)-problem\""), "\(field)")
            }
        }
    }

    @Test(
        "A refused form keeps all that was typed, with the problems beside the fields", arguments: ["en", "de", "fr"])
    func typed(language: String) async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            var form = Self.product
            form["product"] = "ki wi"
            form["prices"] = "DEU many"
            form["cleared"] = "no"
            let answer = try await browser.send("/connect/apps/\(TestStore.bundleIdentifier)/new-product", form)
            #expect(answer.status == .badRequest)
            for text in [
                "value=\"ki wi\"", "value=\"Kiwi\"", "value=\"A kiwi\"", ">DEU many</textarea>",
                "<option value=\"2\" selected>", "<option value=\"no\" selected>", "id=\"product-problem\"",
                "id=\"prices-problem\"",
            ] { #expect(answer.text.contains(text), "\(text)") }
            #expect(try await store.count("product", where: "product_id = 'ki wi'") == 0)
        }
    }

    @Test(
        "The form of the second of two users shows both values, and saves when it is sent again",
        arguments: Engine.servers)
    func both(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let developer = try await store.addUser(.developer, to: holder)
            try await store.registerProduct(by: holder)
            let path = "/connect/apps/\(TestStore.bundleIdentifier)/products/banana"
            let (first, second) = (
                try await ConnectBrowser(client, holder, store), try await ConnectBrowser(client, developer, store)
            )
            var form = [
                "decision": "save", "reference": "First", "tier": "1", "cleared": "yes", "version": "1",
                "title-en_US": "Banana", "description-en_US": "A banana",
            ]
            #expect(try await first.send(path, form).status == .seeOther)
            form["reference"] = "Second"
            form["tier"] = "7"
            let refused = try await second.send(path, form)
            let words = ConsoleWords.words(.english)
            #expect(refused.status == .conflict && refused.text.contains(words.changedMeanwhile))
            #expect(refused.text.contains("value=\"Second\"") && refused.text.contains("Saved meanwhile: "))
            #expect(refused.text.contains("First") && refused.text.contains("<option value=\"7\" selected>"))
            #expect(try await store.registration("banana", as: holder).product.referenceName == "First")
            let version = try #require(
                refused.text.firstMatch(of: /name="version" value="([0-9]+)"/).map { String($0.1) })
            form["version"] = version
            #expect(try await second.send(path, form).status == .seeOther)
            #expect(try await store.registration("banana", as: holder).product.referenceName == "Second")
        }
    }

    @Test("The list of products is searched and filtered as a browser sends the form", arguments: Engine.servers)
    func filtered(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let browser = try await ConnectBrowser(client, holder, store)
            try await store.registerProduct("banana.monthly", kind: .autoRenewable, by: holder)
            try await store.registerProduct(
                "banana.one", values: TestStore.productValues("One ripe banana"), by: holder)
            let app = "/connect/apps/\(TestStore.bundleIdentifier)"
            let filtered = try await browser.get("\(app)?q=&kind=Auto-Renewable+Subscription").text
            #expect(filtered.contains("banana.monthly") && !filtered.contains("banana.one"))
            #expect(filtered.contains("<option value=\"Auto-Renewable Subscription\" selected>"))
            let found = try await browser.get("\(app)?q=ripe+banana&kind=").text
            #expect(found.contains("banana.one") && !found.contains("banana.monthly"))
        }
    }

    @Test("Names with markup are texts on every page of apps", arguments: Engine.servers)
    func markup(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let attack = "\"><script>x</script>"
            let holder = try await store.setUpTeam()
            let user = try await ConnectBrowser(client, holder, store)
            let app = "/connect/apps/\(TestStore.bundleIdentifier)"
            _ = try await user.send(app, ["decision": "change", "name": attack, "version": "0"])
            try await store.registerProduct(values: TestStore.productValues(attack, title: attack), by: holder)
            let query = attack.percentEncodedForQuery
            for path in [
                "/connect/apps", app, "\(app)/products/banana",
                "/connect/apps?q=\(query)", "\(app)?q=\(query)&kind=\(query)",
            ] {
                let page = try await user.get(path)
                #expect(page.status == .ok && !page.text.contains("<script"), "\(path)")
            }
            for path in [
                "/connect/apps/\(query)", "\(app)/products/\(query)", "\(app)/new-product?kind=\(query)",
            ] {
                #expect(try await user.get(path).status == .notFound)
            }
        }
    }

    @Test(
        "The page submits the product for production and shows the reason of a rejection",
        arguments: [StoreEnvironment.production, .sandbox])
    func review(environment: StoreEnvironment) async throws {
        try await Engine.sqliteMemory.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: environment)
            try await store.withHTTP { client in
                let holder = try await store.setUpTeam()
                try await store.registerProduct(by: holder)
                let browser = try await ConnectBrowser(client, holder, store)
                let path = "/connect/apps/\(TestStore.bundleIdentifier)/products/banana"
                if environment == .sandbox {
                    let bare = try await browser.get(path).text
                    #expect(bare.contains("Before production sells it") && !bare.contains("value=\"submit\""))
                    try await store.addScreenshot(of: "banana", by: holder)
                }
                let words = ProductWords.words(.english)
                #expect(try await browser.get(path).text.contains("value=\"submit\""))
                let sent = try await browser.send(path, ["decision": "submit", "version": "1"])
                #expect(sent.headers[.location] == "\(path)?done=submitted")
                let waiting = try await browser.get(path).text
                #expect(waiting.contains(words.waitingForReview) && !waiting.contains("value=\"submit\""))
                try await ReviewingProducts(store.context).decide(
                    .reject, on: "banana", of: BundleIdentifier(TestStore.bundleIdentifier), reason: "Too yellow.")
                let rejected = try await browser.get(path).text
                #expect(rejected.contains("Too yellow.") && rejected.contains("value=\"submit\""))
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer
@testable import StoreService

/// The public pages of items, and the orders of their customers.
struct ItemPageTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)
    private static let password = TestStore.password.replacing(" ", with: "+")
    private static let american: HTTPFields = [.acceptLanguage: "en-US"]

    private static func form(_ account: Account, _ decision: String) -> String {
        "email=\(account.email)&password=\(password)&decision=\(decision)"
    }

    @Test("A page has the texts, prices and products of its address, and needs no script", arguments: Engine.servers)
    func page(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.addItem(1001, app: Self.app, images: 3)
            try await PromotingProducts(store.context)(["pear", "apple"], of: Self.app)
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            for number in 1...3 { try await phone.buy("juice", request: "\(number)", as: anna) }
            try await CountingSales(store.context)()

            let german = try await client.get("/app/1001/DEU/de").text
            for part in [
                "<html lang=\"de\"", "<bdi>Schale</bdi>", "Für 1,09 € kaufen", "Ein Lied.",
                "<bdi>Fruit Records</bdi>",
                "<bdi>Apfel</bdi>", "0,99 €", "Beliebteste In-App-Käufe", "alt=\"Bildschirmfoto 2\"",
                "productIdentifier=pear",
            ] {
                #expect(german.contains(part), "\(part)")
            }
            #expect(!german.contains("<script") && !german.contains(anna.email))
            let french = try await client.get("/app/1001/FRA/fr").text
            #expect(french.contains("Acheter pour 0,99 €") && french.contains("<bdi>Juice</bdi>"))
            let japan = try await client.get("/app/1001/JPN/en").text
            #expect(japan.contains("isn’t sold in your country") && !japan.contains("id=\"order\""))
        }
    }

    @Test("A shared cache may keep a page, which is the same for each visitor", arguments: Engine.servers)
    func caching(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.addItem(1001, app: Self.app, images: 1)
            let anna = try await store.addAccount(storefront: "DEU")
            let session = "__Host-store_session=\(try await store.service.openSheetSession(for: anna))"
            let visitors: [HTTPFields] = [
                [:], [.acceptLanguage: "de-AT"], [.cookie: session], [.cookie: session, .acceptLanguage: "fr"],
            ]
            var pages: Set<String> = []
            for visitor in visitors {
                let answer = try await client.get("/app/1001/USA/en", headers: visitor)
                #expect(answer.headers[.cacheControl] == "public, max-age=60" && answer.headers[.setCookie] == nil)
                pages.insert(answer.text)
            }
            #expect(pages.count == 1 && pages.first?.contains("$0.99") == true)

            let places = ["/app/1001/USA/en", "/app/1001/AUT/de", "/app/1001/DEU/de", "/app/1001/DEU/fr"]
            for (visitor, place) in zip(visitors, places) {
                let answer = try await client.get("/app/1001", headers: visitor)
                #expect(answer.status == .found && answer.headers[.location] == place)
                #expect(answer.headers[.cacheControl] == "no-store")
            }
            let moved = try await client.get("/item/1001/USA/en")
            #expect(moved.status == .found && moved.headers[.location] == "/app/1001/USA/en")
        }
    }

    @Test("An image is served under the address of its bytes, and no other file", arguments: Engine.servers)
    func images(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.addItem(1001, images: 1)
            let page = try await client.get("/item/1001/USA/en").text
            let address = try #require(page.firstMatch(of: /\/artwork\/1001\/[0-9a-f]{64}/)).output
            let image = try await client.get(String(address))
            #expect(Data(image.body.readableBytesView) == TestStore.image && image.headers[.contentType] == "image/png")
            #expect(image.headers[.cacheControl]?.contains("immutable") == true)
            for other in ["/artwork/1001/\(String(repeating: "0", count: 64))", "/artwork/1/x", "/artwork/x/y"] {
                #expect(try await client.get(other).status == .notFound)
            }
        }
    }

    @Test(
        "A hostile title does nothing on the page, and an address of another form isn't one", arguments: Engine.servers)
    func hostile(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let attack = "\"><img src=x onerror=alert(1)><script>alert(1)</script>"
            try await store.addItem(1001, title: attack)
            let page = try await client.get("/item/1001/USA/en")
            #expect(!page.text.contains("<script>") && !page.text.contains("<img src=x"))
            #expect(page.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
            #expect(page.headers[.contentSecurityPolicy]?.contains("script-src") == false)
            for path in [
                "/item/0", "/item/01001", "/item/-1", "/item/1e3", "/item/99999999999999999999", "/item/1002",
                "/item/1001/USA/xx", "/item/1001/XXX/en", "/item/1001/usa/en", "/app/x/USA/en",
            ] {
                let answer = try await client.get(path)
                #expect(answer.status == .notFound && answer.headers[.cacheControl] == "no-store", "\(path)")
            }
        }
    }

    @Test("A customer signs in, confirms the sheet, gets the link, and owns the item", arguments: Engine.servers)
    func order(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.addItem(1001)
            let anna = try await store.addAccount()
            let asked = try await client.post("/item/1001/buy", "decision=show", headers: Self.american)
            #expect(
                asked.status == .ok && asked.text.contains("id=\"sign-in\"") && !asked.text.contains("id=\"message\""))
            let wrong = try await client.post("/item/1001/buy", "email=\(anna.email)&password=wrong")
            #expect(wrong.status == .unauthorized && wrong.text.contains("id=\"message\""))

            let ordered = try await client.post("/item/1001/buy", Self.form(anna, "show"))
            let sheet = try #require(ordered.headers[.location])
            #expect(ordered.status == .seeOther && sheet.hasPrefix("/sheet/"))
            let shown = try await client.get(sheet).text
            #expect(shown.contains("Fruit Records") && shown.contains("value=\"990 USD\""))
            let bought = try await client.post(sheet, Self.form(anna, "buy") + "&shown=990+USD")
            #expect(bought.status == .ok && bought.text.contains("href=\"https://seller.example/item\""))
            #expect(try await client.get(sheet).text.contains("href=\"https://seller.example/item\""))
            #expect(try await store.ledger() == [990])

            let again = try await client.post("/item/1001/buy", Self.form(anna, "show"))
            #expect(again.status == .ok && again.text.contains("You own this already"))
            #expect(try await store.count("request") == 1)

            let number = try #require(
                try await store.service.history(of: anna, before: nil).entries.first?.purchase.transactionIdentifier)
            let receipt = try await client.post("/account/purchases/\(number)", Self.form(anna, "show")).text
            #expect(receipt.contains("href=\"https://seller.example/item\"") && receipt.contains("Fruit Records"))
            try await store.service.refund(number)
            let refunded = try await client.post("/account/purchases/\(number)", Self.form(anna, "show")).text
            #expect(!refunded.contains("https://seller.example/item"))
        }
    }

    @Test(
        "A customer redeems a promo code on the page of its app, in three languages", arguments: Engine.servers,
        ["en", "de", "fr"])
    func redeemed(engine: Engine, language: String) async throws {
        try await engine.withHTTP { store, client in
            try await store.addItem(1001, app: Self.app)
            try await store.addItem(1002)
            let codes = try await store.codesOfApp(2)
            let words = ItemWords.words(try #require(PageLanguage(rawValue: language)))
            let page = try await client.get("/app/1001/USA/\(language)").text
            #expect(page.contains("action=\"/item/1001/redeem\"") && page.contains(">\(words.redeem)</button>"))
            #expect(try await !client.get("/app/1001/JPN/\(language)").text.contains("/redeem\""))
            #expect(try await !client.get("/item/1002/USA/\(language)").text.contains("/redeem\""))

            let anna = try await store.addAccount()
            let asked = try await client.post("/item/1001/redeem", "decision=show", headers: Self.american)
            #expect(asked.status == .ok && asked.text.contains("id=\"sign-in\""))
            #expect(try await store.count("request") == 0)
            let begun = try await client.post("/item/1001/redeem", Self.form(anna, "show"))
            let sheet = try #require(begun.headers[.location])
            #expect(begun.status == .seeOther && sheet.hasPrefix("/sheet/"))
            let empty = try await client.get(sheet, headers: Self.american).text
            #expect(empty.contains("Peel") && empty.contains("id=\"check\""))

            let wrong = try await client.post(sheet, Self.form(anna, "redeem") + "&code=NO-SUCH-CODE")
            #expect(wrong.status == .notFound || wrong.status == .badRequest, "\(wrong.status)")
            #expect(wrong.text.contains("id=\"message\"") && wrong.text.contains("id=\"check\""))
            let checked = try await client.post(sheet, Self.form(anna, "check") + "&code=\(codes[0])")
            #expect(checked.status == .ok && checked.text.contains("value=\"0 USD\""))
            #expect(checked.text.contains("<bdi>Peel</bdi>") && checked.text.contains("id=\"redeem\""))
            let form = Self.form(anna, "redeem") + "&code=\(codes[0])&shown=0+USD&change=&offer="
            let redeemed = try await client.post(sheet, form)
            #expect(redeemed.status == .ok && redeemed.text.contains("href=\"https://seller.example/item\""))
            #expect(try await client.post(sheet, form).status == .conflict)
            #expect(try await client.get(sheet).text.contains("href=\"https://seller.example/item\""))
            #expect(try await store.ledger() == [0])
            #expect(try await store.count("code_redemption") == 1)

            let again = try await client.post("/item/1001/redeem", Self.form(anna, "show"))
            #expect(again.status == .ok && again.text.contains("You own this already"))
            let entries = try await store.service.history(of: anna, before: nil).entries
            #expect(entries.map { Item.identifier(of: $0.purchase) } == [1001])
        }
    }

    @Test(
        "No code is typed for a song, abroad, or by a form of another site, and a used code gives nothing",
        arguments: Engine.servers)
    func unredeemed(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.addItem(1001, app: Self.app)
            try await store.addItem(1002)
            let code = try await store.codesOfApp(1)[0]
            let anna = try await store.addAccount()
            let site = HTTPFields().merging(cookie: "", site: "cross-site")
            let foreign = try await client.post("/item/1001/redeem", Self.form(anna, "show"), headers: site)
            #expect(foreign.status == .forbidden)
            #expect(try await client.post("/item/1002/redeem", Self.form(anna, "show")).status == .badRequest)
            #expect(try await client.post("/item/1003/redeem", Self.form(anna, "show")).status == .notFound)
            #expect(try await store.count("request") == 0)
            let visited = try await client.get("/item/1001/redeem", headers: Self.american)
            #expect(visited.status == .found && visited.headers[.location] == "/app/1001/USA/en")

            let guest = try await store.addAccount("guest@example.com", storefront: "JPN")
            let abroad = try await client.post("/item/1001/redeem", Self.form(guest, "show")).headers[.location]
            let form = "&code=\(code)&shown=0+JPY"
            let refused = try await client.post(try #require(abroad), Self.form(guest, "redeem") + form)
            #expect(refused.status == .notFound && refused.text.contains("id=\"check\""))
            #expect(try await store.count("code_redemption") == 0)

            let sheet = try await client.post("/item/1001/redeem", Self.form(anna, "show")).headers[.location]
            let mine = Self.form(anna, "redeem") + "&code=\(code)&shown=0+USD"
            #expect(try await client.post(try #require(sheet), mine).status == .ok)
            let berta = try await store.addAccount("berta@example.com")
            let late = try await client.post("/item/1001/redeem", Self.form(berta, "show")).headers[.location]
            let used = try await client.post(
                try #require(late), Self.form(berta, "redeem") + "&code=\(code)&shown=0+USD", headers: .script)
            #expect(used.code == "code-used")
            #expect(try await store.ledger() == [0])
        }
    }

    @Test(
        "A form of another site orders nothing, a child asks, and an item isn't sold abroad", arguments: Engine.servers)
    func refused(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.addItem(1001)
            try await store.addItem(1002)
            let anna = try await store.addAccount(asksToBuy: true)
            let site = HTTPFields().merging(cookie: "", site: "cross-site")
            let foreign = try await client.post("/item/1001/buy", Self.form(anna, "show"), headers: site)
            #expect(foreign.status == .forbidden)
            #expect(try await store.count("request") == 0)
            #expect(try await store.buyItem(1001, as: anna).status == .deferred)
            // The account is known on the device of its pages by now.
            let asked = try await client.post("/item/1002/buy", Self.form(anna, "show"))
            #expect(asked.status == .ok && asked.headers[.location] == nil)
            #expect(try await store.service.undecided().count == 2)

            let guest = try await store.addAccount("guest@example.com", storefront: "JPN")
            let sheet = try await client.post("/item/1001/buy", Self.form(guest, "show")).headers[.location]
            let answer = try await client.post(try #require(sheet), Self.form(guest, "buy"))
            #expect(answer.status == .badRequest)
            #expect(try await client.post("/item/1003/buy", Self.form(guest, "show")).status == .notFound)
            #expect(try await store.ledger().isEmpty)
        }
    }
}

extension TestStore {
    /// Promo codes of the app of the tests.
    fileprivate func codesOfApp(_ count: Int) async throws -> [String] {
        try await ManagingCodes(context).create(
            ManagingCodes.Order(
                batch: "press", bundleIdentifier: BundleIdentifier(Self.bundleIdentifier), productIdentifier: "",
                kind: .promo, offer: nil, name: "Press", size: count, seed: Data(repeating: 7, count: 32))
        ).codes
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The sheet in the customer's language, and the lines beside the price.
struct SheetLanguageTests {
    private static let password = TestStore.password.replacing(" ", with: "+")

    @Test(
        "The sheet, its failures and its result are in the browser's language", arguments: Engine.servers,
        [
            ("de-DE,de;q=0.9", "Kauf bestätigen", "Kaufen</button>", "oder das Passwort fehlt", "Gekauft"),
            ("fr", "Confirmer l’achat", "Acheter</button>", "ou le mot de passe manque", "Acheté"),
            ("en", "Confirm purchase", "Buy</button>", "password", "Purchased"),
        ])
    func languages(
        engine: Engine, words: (language: String, title: String, button: String, wrong: String, done: String)
    ) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            let sheet = try device.token(try await device.ask("apple", request: "r").sheet)
            let headers: HTTPFields = [.acceptLanguage: words.language]
            let page = try await client.get("/sheet/\(sheet)", headers: headers)
            #expect(page.text.contains("<html lang=\"\(words.language.prefix(2))\" dir=\"ltr\">"))
            #expect(page.text.contains(words.title) && page.text.contains(words.button))
            let form = "email=\(anna.email)&decision=buy&password="
            let wrong = try await client.post("/sheet/\(sheet)", form + "no", headers: headers)
            #expect(wrong.status == .unauthorized && wrong.text.contains(words.wrong))
            let done = try await client.post("/sheet/\(sheet)", form + Self.password, headers: headers)
            #expect(done.text.contains("<h1 id=\"outcome\">\(words.done)</h1>"))
        }
    }

    @Test("The sheet says the account, that an owned product is free, and that a child asks", arguments: Engine.servers)
    func state(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "apple", as: anna)
            try await phone.finish(apple.transactionIdentifier)
            func sheet(_ product: String, _ request: String) async throws -> String {
                "/sheet/\(try phone.token(try await phone.ask(product, request: request).sheet))"
            }
            let owned = try await client.get(try await sheet("apple", "again")).text
            #expect(owned.contains("<p id=\"price\" class=\"price\"><bdi>Free of charge</bdi></p>"))
            #expect(owned.contains("You have bought this already.") && owned.contains(">Get it again</button>"))
            let juice = try await sheet("juice", "juice")
            let other = try await client.get(juice).text
            #expect(other.split(separator: anna.email).count == 2, "The account is named once.")
            #expect(other.contains("no money is charged") && !other.contains("id=\"note\""))
            try await store.service.change(account: anna.email, .init(switches: [.asksToBuy: true]))
            let child = try await client.get(juice).text
            #expect(child.contains("Another person has to approve") && child.contains(">Ask permission</button>"))
        }
    }

    @Test(
        "On a device that isn't signed in, an owned product is shown as free before it is given again",
        arguments: Engine.servers)
    func ownedElsewhere(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            try await (try await store.addDevice()).buy("apple", request: "apple", as: anna)
            let other = try await store.addDevice(2)
            let sheet = "/sheet/\(try other.token(try await other.ask("apple", request: "again").sheet))"
            #expect(try await client.get(sheet).text.contains("value=\"990 USD\""))
            let form = "email=\(anna.email)&decision=buy&password=\(Self.password)&shown="
            let terms = [
                ("en", "You have bought this already."), ("de", "Sie haben dies schon gekauft."),
                ("fr", "Vous avez déjà acheté ce produit."),
            ]
            for (language, sentence) in terms {
                let shown = try await client.post(sheet, form + "990+USD", headers: [.acceptLanguage: language])
                #expect(shown.status == .conflict && shown.text.contains(sentence))
                #expect(shown.text.contains("value=\"0 USD\"") && !shown.text.contains("0.99"))
            }
            #expect(try await store.amounts() == [990])
            let done = try await client.post(sheet, form + "0+USD")
            #expect(done.status == .ok && done.text.contains(">Purchased</h1>"))
            #expect(try await store.amounts().sorted() == [0, 990])

            // The purchase was refunded since the page was shown: nothing is charged without a price.
            let third = try await store.addDevice(3)
            let last = "/sheet/\(try third.token(try await third.ask("apple", request: "last").sheet))"
            let bought = try #require(try await other.queue().first)
            try await store.service.refund(TransactionIdentifier(bought.transactionIdentifier))
            #expect(try await client.post(last, form + "0+USD").status == .conflict)
            #expect(try await store.amounts().reduce(0, +) == 0)
        }
    }

    @Test(
        "A price has the form of its storefront",
        arguments: [
            ("THA", 1_234_560, "฿1,234.56"), ("USA", 1_234_560, "$1,234.56"), ("DEU", 1_234_560, "1.234,56\u{A0}€"),
            ("GBR", 790, "£0.79"), ("JPN", 120_000, "¥120"), ("BRA", 4900, "R$\u{A0}4,90"),
            ("DNK", 9000, "9,00\u{A0}kr."), ("KOR", 1_500_000, "₩1,500"),
        ] as [(String, Int64, String)])
    func storefronts(country: String, milliunits: Int64, text: String) throws {
        let storefront = try #require(Storefront.named(country))
        let price = Money(milliunits: milliunits, currency: storefront.currency)
        #expect(SheetModel.text(price, locale: storefront.priceLocale) == text)
    }

    @Test("The sheet says the tax of the operator's table, and none without a row", arguments: Engine.servers)
    func taxes(engine: Engine) async throws {
        try await engine.withStore { store in
            var configuration = ServerConfiguration(host: "localhost", port: 0)
            configuration.taxes = try TaxTable(
                reading: "country,category,rate,included\nUSA,non-consumable,10,inclusive\n", file: "t")
            let application = Application(router: try buildRouter(store.service, configuration), logger: .silent)
            try await application.test(.router) { client in
                let phone = try await store.addDevice()
                let apple = try phone.token(try await phone.ask("apple", request: "a").sheet)
                let page = try await client.get("/sheet/\(apple)")
                #expect(page.text.contains("<p id=\"tax\" class=\"detail\">includes $0.09 tax (10%)</p>"))
                let juice = try phone.token(try await phone.ask("juice", request: "j").sheet)
                #expect(try await !client.get("/sheet/\(juice)").text.contains("id=\"tax\""))
            }
        }
    }

    @Test("A name in the title of a product or an e-mail address never becomes markup", arguments: Engine.servers)
    func escaping(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let evil = "\"><img src=x onerror=alert(1)>"
            try await store.sell(title: evil, as: "evil")
            let device = try await store.addDevice()
            let sheet = try device.token(try await device.ask("evil", request: "r").sheet)
            let typed = evil.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let page = try await client.post("/sheet/\(sheet)", "decision=buy&password=no&email=\(typed)")
            #expect(!page.text.contains("<img") && page.text.contains("&quot;&gt;&lt;img"))
            let list = try await client.post("/account/purchases", "decision=show&password=no&email=\(typed)")
            #expect(list.status == .unauthorized && !list.text.contains("<img"))
        }
    }
}

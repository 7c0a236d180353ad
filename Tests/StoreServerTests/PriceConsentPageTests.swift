// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The sheet on which a customer agrees to the higher price of a subscription.
struct PriceConsentPageTests {
    private static let password = TestStore.password.replacing(" ", with: "+")

    private static func form(_ account: Account, _ rest: String) -> String {
        "email=\(account.email)&password=\(password)&\(rest)"
    }

    /// A store whose customer has a monthly subscription for 4.99, which
    /// costs 5.99 now.
    private func withIncrease(
        _ engine: Engine, _ body: @Sendable @escaping (Magazines, any TestClientProtocol) async throws -> Void
    ) async throws {
        try await engine.withHTTP { store, client in
            try await store.sellMagazines()
            let shop = Magazines(store: store, anna: try await store.addAccount(), phone: try await store.addDevice())
            try await shop.buy("monthly")
            try await SettingPrice(store.context)(
                "monthly", of: BundleIdentifier(TestStore.bundleIdentifier), in: nil, to: "5.99")
            try await AskingForPriceConsent(store.context)(TransactionIdentifier(try await shop.original()))
            try await body(shop, client)
        }
    }

    @Test("The page says the prices and the date, and the customer agrees once", arguments: Engine.servers)
    func agreed(engine: Engine) async throws {
        try await withIncrease(engine) { shop, client in
            let sheet = try await shop.phone.consentSheet()
            let page = try await client.get("/sheet/\(sheet)")
            for text in [
                "You pay $4.99 per month. The price becomes $5.99 per month, with the period that begins on ",
                "Unless you agree, the subscription ends", "value=\"5990 USD\"", "id=\"agree\"", "Not now", "Fruit",
            ] {
                #expect(page.text.contains(text), "\(text)")
            }

            let form = Self.form(
                shop.anna, "decision=agree&shown=5990+USD&subscription=\(try await shop.original())")
            let agreed = try await client.post("/sheet/\(sheet)", form, headers: .script)
            #expect(try agreed.object()["outcome"] as? String == "agreed")
            #expect(try await !shop.state().lacksConsent)
            let again = try await client.post("/sheet/\(sheet)", form, headers: .script)
            #expect(again.status == .conflict && again.code == "sheet-used")
            #expect(try await shop.phone.consent("c") == SheetAnswer())
            #expect(try await shop.phone.consent("other") == SheetAnswer())

            shop.store.clock.advance(by: .seconds(32 * 86_400))
            await shop.store.service.renewSubscriptions()
            #expect(try await shop.store.amounts() == [4990, 5990])
        }
    }

    @Test("The prices and the date are said in the customer's language", arguments: Engine.servers)
    func languages(engine: Engine) async throws {
        try await withIncrease(engine) { shop, client in
            let sheet = try await shop.phone.consentSheet()
            let german = try await client.get("/sheet/\(sheet)", headers: [.acceptLanguage: "de-DE,en;q=0.5"])
            for text in [
                "<p lang=\"de\">Sie zahlen derzeit 4,99 $ pro Monat. Ab dem Abrechnungszeitraum, der am ",
                "beträgt der Preis 5,99 $ pro Monat. Jetzt wird nichts berechnet.</p>",
                "<p lang=\"de\">Wenn Sie nicht zustimmen, endet das Abonnement an diesem Tag",
            ] {
                #expect(german.text.contains(text), "\(text)")
            }
            let other = try await client.get("/sheet/\(sheet)", headers: [.acceptLanguage: "da"])
            #expect(other.text.contains("<p lang=\"en\">You pay $4.99 per month."))
        }
    }

    @Test("\u{201C}Not now\u{201D} keeps the increase, and asks again later", arguments: Engine.servers)
    func notNow(engine: Engine) async throws {
        try await withIncrease(engine) { shop, client in
            let sheet = try await shop.phone.consentSheet()
            let page = try await client.post("/sheet/\(sheet)", "decision=cancel")
            #expect(page.text.contains("You have not agreed to the new price"))
            #expect(try await shop.phone.consent("c").failure != nil)
            #expect(try await shop.state().lacksConsent)

            let later = try await shop.phone.consentSheet("later")
            #expect(later != sheet)
            #expect(try await client.get("/sheet/\(later)").text.contains("id=\"agree\""))
        }
    }

    @Test("A stranger, another price and a missing password agree to nothing", arguments: Engine.servers)
    func refused(engine: Engine) async throws {
        try await withIncrease(engine) { shop, client in
            let sheet = try await shop.phone.consentSheet()
            let berta = try await shop.store.addAccount("berta@example.com")

            let stranger = try await client.post("/sheet/\(sheet)", Self.form(berta, "decision=agree"))
            #expect(stranger.status == .notFound)
            #expect(stranger.text.contains("id=\"message\"") && stranger.text.contains("id=\"agree\""))
            let dearer = try await client.post("/sheet/\(sheet)", Self.form(shop.anna, "decision=agree&shown=6990+USD"))
            #expect(dearer.status == .conflict && dearer.text.contains("value=\"5990 USD\""))
            let unsigned = try await client.post("/sheet/\(sheet)", "decision=agree&email=\(shop.anna.email)")
            #expect(unsigned.status == .unauthorized)
            let buying = Self.form(shop.anna, "decision=buy")
            let bought = try await client.post("/sheet/\(sheet)", buying, headers: .script)
            #expect(bought.status == .badRequest)
            #expect(try await shop.state().lacksConsent)
        }
    }

    @Test("The page of an increase that was answered elsewhere says that none waits", arguments: Engine.servers)
    func answeredElsewhere(engine: Engine) async throws {
        try await withIncrease(engine) { shop, client in
            let sheet = try await shop.phone.consentSheet()
            try await AnsweringPriceIncrease(shop.store.context).agree(
                OriginalTransactionIdentifier(try await shop.original()), account: shop.anna.identifier)

            #expect(try await client.get("/sheet/\(sheet)").text.contains("No new price waits for your consent."))
        }
    }

    @Test("No sheet is made when no increase waits", arguments: Engine.servers)
    func nothing(engine: Engine) async throws {
        try await engine.withHTTP { store, _ in
            let phone = try await store.addDevice()
            #expect(try await phone.consent("c") == SheetAnswer())
            try await phone.buy("apple", request: "r", as: try await store.addAccount())
            #expect(try await phone.consent("c") == SheetAnswer())
            #expect(try await store.count("sheet") == 1)
        }
    }

    @Test("A stream begins with the increases that wait, and brings their end", arguments: Engine.servers)
    func stream(engine: Engine) async throws {
        try await withIncrease(engine) { shop, _ in
            let feed = try await shop.store.service.feed(
                EventSubscription(
                    credentials: shop.phone.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil))
            let begin = try await feed.priceIncreases()
            #expect(begin?.count == 1)

            try await AnsweringPriceIncrease(shop.store.context).agree(
                OriginalTransactionIdentifier(try await shop.original()), account: shop.anna.identifier)
            #expect(try await feed.priceIncreases() == [])
        }
    }
}

extension TestDevice {
    fileprivate func consent(_ request: String) async throws -> SheetAnswer {
        try await call(PriceConsentCall(requestIdentifier: request, bundleIdentifier: TestStore.bundleIdentifier))
    }

    /// The token of the sheet of a request, which is the same each time.
    fileprivate func consentSheet(_ request: String = "c") async throws -> String {
        let sheet = try token(try await consent(request).sheet)
        #expect(try token(try await consent(request).sheet) == sheet)
        return sheet
    }
}

extension EventFeed {
    /// Skips to the next event with price increases.
    fileprivate func priceIncreases() async throws -> [String]? {
        while let item = try await next() {
            guard case .event(let event) = item, let event = event.content as? PriceIncreasesEvent else { continue }
            return event.increases
        }
        return nil
    }
}

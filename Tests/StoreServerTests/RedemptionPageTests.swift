// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The sheet on which a customer redeems a code.
struct RedemptionPageTests {
    private static let password = TestStore.password.replacing(" ", with: "+")
    /// A custom code: the first week of the magazine is free.
    private static let code = "WELCOME26"

    private static func form(_ account: Account, _ rest: String) -> String {
        "email=\(account.email)&password=\(password)&\(rest)"
    }

    /// A store that sells a magazine with a code, a customer, a phone, and a
    /// client.
    private func withCode(
        _ engine: Engine, _ body: @Sendable @escaping (Magazines, any TestClientProtocol) async throws -> Void
    ) async throws {
        try await engine.withHTTP { store, client in
            try await store.sellWeekly(code: Self.code)
            let shop = Magazines(store: store, anna: try await store.addAccount(), phone: try await store.addDevice())
            try await body(shop, client)
        }
    }

    @Test("The page shows the product and the terms of a code, and redeems it once", arguments: Engine.servers)
    func redeemed(engine: Engine) async throws {
        try await withCode(engine) { shop, client in
            let sheet = try await shop.phone.redemptionSheet()
            let empty = try await client.get("/sheet/\(sheet)")
            #expect(empty.text.contains("Redeem code") && empty.text.contains("id=\"check\""))
            #expect(!empty.text.contains("id=\"redeem\""))

            let page = try await client.post(
                "/sheet/\(sheet)", Self.form(shop.anna, "decision=check&code=welcome26"))
            #expect(page.status == .ok)
            for text in [
                "id=\"redeem\"", "Weekly", "1 week free, then $2.99 per week", "value=\"0 USD\"",
                "value=\"welcome26\" readonly", "name=\"change\" value=\"subscribe\"", "name=\"offer\" value=\"code",
            ] {
                #expect(page.text.contains(text), "\(text)")
            }

            let form = Self.form(
                shop.anna, "decision=redeem&code=welcome26&shown=0+USD&change=subscribe&offer=\(page.field("offer"))")
            let redeemed = try await client.post("/sheet/\(sheet)", form, headers: .script)
            #expect(try redeemed.object()["outcome"] as? String == "purchased")
            let again = try await client.post("/sheet/\(sheet)", form, headers: .script)
            #expect(again.status == .conflict && again.code == "sheet-used")
            #expect(try await client.get("/sheet/\(sheet)").text.contains("Purchased"))
            #expect(try await shop.phone.redemption("c") == SheetAnswer())
            #expect(try await shop.phone.queue().map(\.productIdentifier) == ["weekly"])
        }
    }

    @Test("The terms of a code are said in the customer's language", arguments: Engine.servers)
    func languages(engine: Engine) async throws {
        try await withCode(engine) { shop, client in
            let sheet = try await shop.phone.redemptionSheet()
            let page = try await client.post(
                "/sheet/\(sheet)", Self.form(shop.anna, "decision=check&code=\(Self.code)"),
                headers: [.acceptLanguage: "de"])
            #expect(page.text.contains("<p lang=\"de\">1 Woche kostenlos, dann 2,99 $ pro Woche ab dem "))
            #expect(!page.text.contains("1 week free"))
        }
    }

    @Test("A wrong code shows the page again with the reason and the typed text", arguments: Engine.servers)
    func wrong(engine: Engine) async throws {
        try await withCode(engine) { shop, client in
            let sheet = try await shop.phone.redemptionSheet()
            for decision in ["check", "redeem"] {
                let page = try await client.post(
                    "/sheet/\(sheet)", Self.form(shop.anna, "decision=\(decision)&code=NO-SUCH-CODE"))
                #expect(page.status == .notFound, "\(decision)")
                #expect(page.text.contains("id=\"message\"") && page.text.contains("There is no such code"))
                #expect(page.text.contains("value=\"NO-SUCH-CODE\"") && page.text.contains("id=\"check\""))
                #expect(page.text.contains("value=\"\(shop.anna.email)\""))
            }
            let unsigned = try await client.post("/sheet/\(sheet)", "decision=check&code=\(Self.code)")
            #expect(unsigned.status == .unauthorized && !unsigned.text.contains("Weekly"))
            let bought = try await client.post(
                "/sheet/\(sheet)", Self.form(shop.anna, "decision=buy"), headers: .script)
            #expect(bought.status == .badRequest)
            #expect(try await shop.store.count("purchase") == 0)
        }
    }

    @Test(
        "Each code that can't be redeemed has its own sentence, and the sheet takes another", arguments: Engine.servers)
    func refused(engine: Engine) async throws {
        try await withCode(engine) { shop, client in
            let store = shop.store
            try await store.makeCode("SPENT26")
            try await store.makeCode("LATE26", expires: store.context.clock.now() + .seconds(60))
            try await store.makeCode("REVOKED26")
            _ = try await ManagingCodes(store.context).revoke("REVOKED26")
            let foreign = try await store.codeOfAnotherApp()
            let berta = try await store.addAccount("berta@example.com")
            let spent = try await client.post(
                "/sheet/\(try await shop.phone.redemptionSheet("berta"))",
                Self.form(berta, "decision=redeem&code=SPENT26"), headers: .script)
            #expect(spent.status == .ok)
            store.clock.advance(by: .seconds(61))

            let sheet = try await shop.phone.redemptionSheet()
            for (code, sentence) in [
                ("SPENT26", "This code was redeemed already. Nothing was charged."),
                ("LATE26", "This code has expired."),
                ("REVOKED26", "its seller has revoked it. Nothing was charged."),
                (foreign, "This code is for another app: redeem it there."),
            ] {
                for decision in ["check", "redeem"] {
                    let page = try await client.post(
                        "/sheet/\(sheet)", Self.form(shop.anna, "decision=\(decision)&code=\(code)"))
                    #expect(page.status.kind == .clientError, "\(decision) \(code)")
                    #expect(page.text.contains(sentence), "\(decision) \(code)")
                    #expect(page.text.contains("id=\"check\""), "\(decision) \(code)")
                }
            }
            #expect(try await store.count("offer_code", where: "uses > 0") == 1)
            #expect(try await store.count("purchase") == 1)
            let good = try await client.post(
                "/sheet/\(sheet)", Self.form(shop.anna, "decision=redeem&code=\(Self.code)"), headers: .script)
            #expect(good.status == .ok)
        }
    }

    @Test("A redemption signs a device in, also one on which another account is signed in", arguments: Engine.servers)
    func signsIn(engine: Engine) async throws {
        try await withCode(engine) { shop, client in
            let store = shop.store
            let first = try await shop.phone.redemptionSheet()
            _ = try await client.post("/sheet/\(first)", Self.form(shop.anna, "decision=check&code=\(Self.code)"))
            #expect(try await store.count("device", where: "account_id IS NOT NULL") == 0)
            _ = try await client.post("/sheet/\(first)", Self.form(shop.anna, "decision=redeem&code=\(Self.code)"))
            #expect(try await store.count("device", where: "account_id = '\(shop.anna.identifier)'") == 1)
            let ofAnna = try await shop.phone.queue()
            #expect(ofAnna.map(\.productIdentifier) == ["weekly"])

            let berta = try await store.addAccount("berta@example.com")
            let second = try await shop.phone.redemptionSheet("d")
            #expect(try await client.get("/sheet/\(second)").text.contains("value=\"\(shop.anna.email)\""))
            let redeemed = try await client.post(
                "/sheet/\(second)", Self.form(berta, "decision=redeem&code=\(Self.code)"), headers: .script)
            #expect(redeemed.status == .ok)
            #expect(try await store.count("device", where: "account_id = '\(berta.identifier)'") == 1)
            let ofBerta = try await shop.phone.queue()
            #expect(ofBerta.map(\.productIdentifier) == ["weekly"])
            #expect(ofBerta.map(\.transactionIdentifier) != ofAnna.map(\.transactionIdentifier))
            #expect(try await store.count("code_redemption") == 2)
        }
    }

    @Test("The terms that were shown are the only ones that are confirmed", arguments: Engine.servers)
    func otherTerms(engine: Engine) async throws {
        try await withCode(engine) { shop, client in
            let sheet = try await shop.phone.redemptionSheet()
            let page = try await client.post(
                "/sheet/\(sheet)", Self.form(shop.anna, "decision=redeem&code=\(Self.code)&shown=2990+USD"))
            #expect(page.status == .conflict && page.text.contains("id=\"check\""))
            #expect(try await shop.store.count("purchase") == 0)
        }
    }

    @Test("Another code can be typed, and a cancelled sheet redeems nothing", arguments: Engine.servers)
    func cancelled(engine: Engine) async throws {
        try await withCode(engine) { shop, client in
            let sheet = try await shop.phone.redemptionSheet()
            let other = try await client.post("/sheet/\(sheet)", "decision=change&code=\(Self.code)")
            #expect(other.text.contains("id=\"check\"") && !other.text.contains("readonly"))

            #expect(try await client.post("/sheet/\(sheet)", "decision=cancel").text.contains("Nothing was charged"))
            #expect(try await shop.phone.redemption("c").failure?.code == .paymentCancelled)
            let late = try await client.post(
                "/sheet/\(sheet)", Self.form(shop.anna, "decision=redeem&code=\(Self.code)"), headers: .script)
            #expect(late.status == .conflict)
            #expect(try await shop.store.count("purchase") == 0)
        }
    }

    @Test("The purchase reaches the account's second device", arguments: Engine.servers)
    func secondDevice(engine: Engine) async throws {
        try await withCode(engine) { shop, client in
            let tablet = try await shop.store.addDevice(2)
            try await tablet.buy("juice", request: "1", as: shop.anna)
            _ = try await shop.store.service.feed(
                EventSubscription(
                    credentials: tablet.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil))

            let sheet = try await shop.phone.redemptionSheet()
            let redeemed = try await client.post(
                "/sheet/\(sheet)", Self.form(shop.anna, "decision=redeem&code=\(Self.code)"), headers: .script)
            #expect(redeemed.status == .ok)

            #expect(try await shop.phone.queue().map(\.productIdentifier) == ["weekly"])
            #expect(try await tablet.queue().map(\.productIdentifier).sorted() == ["juice", "weekly"])
        }
    }
}

extension TestStore {
    /// Makes a word that is redeemed once.
    fileprivate func makeCode(_ code: String, expires: WallTime? = nil) async throws {
        _ = try await ManagingCodes(context).create(
            ManagingCodes.Order(
                batch: code, bundleIdentifier: BundleIdentifier(Self.bundleIdentifier), productIdentifier: "weekly",
                kind: .custom, offer: "Welcome", name: "Word", expires: expires, code: code))
    }

    /// A code that the store has drawn for an apple of another app.
    fileprivate func codeOfAnotherApp() async throws -> String {
        let other: BundleIdentifier = "com.example.other"
        try await ImportingCatalogue(context)(
            StoreKitConfigurationFile(Data(Self.catalogue.utf8), file: "other.storekit", bundleIdentifier: other),
            into: App(bundleIdentifier: other, name: "Other"))
        let made = try await ManagingCodes(context).create(
            ManagingCodes.Order(
                batch: "other", bundleIdentifier: other, productIdentifier: "apple", kind: .promo, offer: nil,
                name: "Other", seed: Data(repeating: 7, count: OfferCodeText.seedLength)))
        return try #require(made.codes.first)
    }
}

extension TestDevice {
    fileprivate func redemption(_ request: String) async throws -> SheetAnswer {
        try await call(RedemptionCall(requestIdentifier: request, bundleIdentifier: TestStore.bundleIdentifier))
    }

    /// The token of the sheet of a request, which is the same each time.
    fileprivate func redemptionSheet(_ request: String = "c") async throws -> String {
        let sheet = try token(try await redemption(request).sheet)
        #expect(try token(try await redemption(request).sheet) == sheet)
        return sheet
    }
}

extension TestResponse {
    /// The value of a hidden field of the page.
    fileprivate func field(_ name: String) -> String {
        let rest = text.components(separatedBy: "name=\"\(name)\" value=\"").dropFirst().first ?? ""
        return String(rest.prefix { $0 != "\"" }).replacing(" ", with: "+")
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreDomain
import StoreTestSupport
import Testing

/// The sheet's page, as customers' browsers and scripts use it.
struct SheetRouteTests {
    private let password = TestStore.password.replacing(" ", with: "+")

    @Test("The sheet's page shows the product, the quantity, the price and the environment", arguments: Engine.servers)
    func thePageShowsWhatIsSold(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let device = try await store.addDevice()
            let sheet = try device.token(try await device.ask("juice", request: "r", quantity: 3).sheet)

            let page = try await client.get("/sheet/\(sheet)", headers: [.acceptLanguage: "en-US,en;q=0.5"])

            #expect(page.status == .ok)
            for word in ["Environment: Sandbox", "Juice", "× 3", "$1.47", "Fruit", "name=\"password\"", "id=\"buy\""] {
                #expect(page.text.contains(word), "\(word)")
            }
            #expect(page.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
            #expect(page.headers[.cacheControl] == "no-store")
        }
    }

    @Test("The sheet's page escapes the seller's texts", arguments: Engine.servers)
    func whatASellerWroteIsEscaped(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.sell(title: "<script>alert(1)</script>", as: "evil")
            let device = try await store.addDevice()
            let sheet = try device.token(try await device.ask("evil", request: "r").sheet)

            let page = try await client.get("/sheet/\(sheet)")

            #expect(!page.text.contains("<script>alert"))
            #expect(page.text.contains("&lt;script&gt;"))
        }
    }

    @Test("A script buys on a sheet, and a second answer is refused as sheet-used", arguments: Engine.servers)
    func aScriptBuysAndASecondAnswerIsTold(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            let sheet = try device.token(try await device.ask("apple", request: "r").sheet)
            let form = "email=\(anna.email)&password=\(password)&decision=buy"

            let wrong = try await client.post(
                "/sheet/\(sheet)", "email=\(anna.email)&password=no&decision=buy", headers: .script)
            #expect(wrong.status == .unauthorized && wrong.code == "wrong-password")
            let bought = try await client.post("/sheet/\(sheet)", form, headers: .script)
            #expect(bought.status == .ok)
            #expect(try bought.object()["outcome"] as? String == "purchased")
            let again = try await client.post("/sheet/\(sheet)", form, headers: .script)
            #expect(again.status == .conflict && again.code == "sheet-used")
            #expect(try await device.queue().count == 1)
        }
    }

    @Test("A wrong password shows the sheet's page again, with a message", arguments: Engine.servers)
    func aWrongPasswordShowsThePageAgain(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let device = try await store.addDevice()
            let sheet = try device.token(try await device.ask("apple", request: "r").sheet)

            let page = try await client.post("/sheet/\(sheet)", "email=a@b.c&password=no&decision=buy")

            #expect(page.status == .unauthorized)
            #expect(page.text.contains("id=\"message\""))
            #expect(page.text.contains("id=\"buy\""))
        }
    }

    @Test("A device's credentials don't confirm a sheet", arguments: Engine.servers)
    func theDevicesTokenOpensASheetAndNeverConfirmsOne(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            try await device.buy("pear", request: "first", as: anna)
            let sheet = try device.token(try await device.ask("apple", request: "r").sheet)

            let response = try await client.post(
                "/sheet/\(sheet)", "decision=buy&email=\(anna.email)",
                headers: [.accept: "application/json", .authorization: device.credentials.authorization])

            #expect(response.status == .unauthorized)
            #expect(try await store.count("purchase") == 1)
        }
    }

    @Test(
        "A browser's cookie replaces the password on the next sheet, on the same origin only", arguments: Engine.servers
    )
    func aBrowserThatTypedThePasswordLatelyNeedntTypeItAgain(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            let first = try device.token(try await device.ask("apple", request: "1").sheet)
            let bought = try await client.post(
                "/sheet/\(first)", "email=\(anna.email)&password=\(password)&decision=buy", headers: .script)
            let cookie = try #require(bought.headers[.setCookie])
            #expect(cookie.hasPrefix("__Host-") && cookie.contains("HttpOnly") && cookie.contains("Secure"))
            let value = String(cookie.prefix { $0 != ";" })

            let second = try device.token(try await device.ask("pear", request: "2").sheet)
            let crossSite = try await client.post(
                "/sheet/\(second)", "decision=buy",
                headers: HTTPFields.script.merging(cookie: value, site: "cross-site"))
            #expect(crossSite.status == .forbidden && crossSite.code == "cross-site")
            let elsewhere = try await client.post(
                "/sheet/\(second)", "decision=buy",
                headers: [.accept: "application/json", .cookie: value, .origin: "http://store.example:8081"])
            #expect(elsewhere.status == .forbidden && elsewhere.code == "cross-site")
            let again = try await client.post(
                "/sheet/\(second)", "decision=buy",
                headers: [.accept: "application/json", .cookie: value, .origin: "https://store.example"])
            #expect(again.status == .ok)
            #expect(try await device.queue().count == 2)
        }
    }

    @Test("A customer of another country sees that country's price and pays it", arguments: Engine.servers)
    func aCustomerOfAnotherCountryIsShownItsPriceAndBuysAtThat(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let berta = try await store.addAccount("berta@example.com", storefront: "DEU")
            let device = try await store.addDevice()
            let sheet = try device.token(try await device.ask("apple", request: "r").sheet)
            let form = "email=\(berta.email)&password=\(password)&decision=buy&shown="

            let page = try await client.post("/sheet/\(sheet)", form + "990+USD")
            #expect(page.status == .conflict)
            #expect(page.text.contains("value=\"990 EUR\"") && page.text.contains("€"))
            #expect(try await store.count("ledger_entry") == 0)

            let bought = try await client.post("/sheet/\(sheet)", form + "990+EUR", headers: .script)
            #expect(bought.status == .ok)
            #expect(try await store.count("ledger_entry", where: "currency = 'EUR'") == 1)
        }
    }

    @Test("A page number outside of its range is refused as invalid", arguments: Engine.servers)
    func anEndlessPageNumberIsRefusedNotACrash(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let device = try await store.addDevice()
            for page in ["9223372036854775807", "-1", "1000001"] {
                let response = try await client.post(
                    "/device/v1/restore", "{\"requestIdentifier\":\"r\",\"bundleIdentifier\":\"b\",\"page\":\(page)}",
                    headers: device.headers)
                #expect(response.code == "invalid")
            }
        }
    }

    @Test("Cancelled, answered and unknown sheets have answers of their own", arguments: Engine.servers)
    func cancellingAndUnknownPagesAreTold(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let device = try await store.addDevice()
            let sheet = try device.token(try await device.ask("apple", request: "r").sheet)

            #expect(try await client.post("/sheet/\(sheet)", "decision=cancel").text.contains("Cancelled"))
            #expect(try await client.get("/sheet/\(sheet)").text.contains("Already answered"))
            #expect(try await client.get("/sheet/nothing").status == .notFound)
            #expect(try await client.post("/sheet/nothing", "decision=buy", headers: .script).code == "not-found")
            #expect(try await client.post("/sheet/\(sheet)", "decision=dance", headers: .script).status.code < 500)
        }
    }

    @Test("The sheet's page reports a declined card and offers to buy again", arguments: Engine.servers)
    func aDeclinedCardIsSaidOnThePage(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            let sheet = try device.token(try await device.ask("apple", request: "r").sheet)
            store.cardLimit.milliunits = 0

            let page = try await client.post(
                "/sheet/\(sheet)", "email=\(anna.email)&password=\(password)&decision=buy")

            #expect(page.status.code == 402)
            #expect(page.text.contains("declined") && page.text.contains("id=\"buy\""))
        }
    }
}

extension TestStore {
    /// Adds a product with a given title to the catalogue.
    func sell(title: String, as identifier: String) async throws {
        var configuration = try StoreKitConfigurationFile(
            .init(Self.catalogue.utf8), file: "test.storekit", bundleIdentifier: BundleIdentifier(Self.bundleIdentifier)
        )
        configuration.products.append(
            Product(
                bundleIdentifier: BundleIdentifier(Self.bundleIdentifier),
                productIdentifier: ProductIdentifier(identifier), kind: .nonConsumable,
                referenceName: title, milliunits: 990,
                localizations: [.init(locale: "en_US", title: title, description: title)]))
        try await ImportingCatalogue(context)(
            configuration, into: App(bundleIdentifier: BundleIdentifier(Self.bundleIdentifier), name: title))
    }
}

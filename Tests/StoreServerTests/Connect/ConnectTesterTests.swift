// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreCore
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The pages of sandbox testers, and the check list.
struct ConnectTesterTests {
    @Test(
        "A tester is added, changed, moved in time, cleared and removed by the pages, in three languages",
        arguments: Engine.servers, ["en", "de", "fr"])
    func whole(engine: Engine, language: String) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let words = TesterWords.words(try #require(PageLanguage(rawValue: language)))
            let list = "/connect/testers"
            #expect(try await browser.get(list).text.contains(words.add))
            let refused = try await browser.send(
                list, ["decision": "add", "email": "tess", "password": "secret", "storefront": "DEU"])
            #expect(refused.status == .badRequest && refused.text.contains("value=\"tess\""))
            #expect(refused.text.contains("<option value=\"DEU\" selected>") && !refused.text.contains("secret"))
            let added = try await browser.send(
                list, ["decision": "add", "email": "tess@example.com", "password": "secret", "storefront": "DEU"])
            let location = try #require(added.headers[.location])
            let path = String(location.prefix { $0 != "?" })
            let page = try await browser.get(location).text
            #expect(page.contains(words.added) && page.contains("tess@example.com") && page.utf8.count < 80_000)
            let found = try await browser.get("\(list)?storefront=DEU&q=TESS").text
            let germany = ["en": "Germany", "de": "Deutschland", "fr": "Allemagne"][language] ?? ""
            #expect(found.contains(path) && found.contains(">\(germany) (DEU)</p>") && found.utf8.count < 80_000)
            #expect(try await !browser.get("\(list)?storefront=USA").text.contains(path))

            let form = [
                "decision": "save", "name": "Tess", "storefront": "FRA", "interruptsPurchases": "yes",
                "before": "DEU, \"\"",
            ]
            #expect(try await browser.send(path, form).headers[.location] == "\(path)?done=saved")
            #expect(try await browser.get(path).text.contains(words.interrupts + "."))
            let old = try await browser.send(path, ["decision": "save", "storefront": "USA", "before": "DEU"])
            #expect(old.status == .conflict)
            for (form, done) in [
                (["decision": "move", "by": "1mo"], "clock"), (["decision": "speed", "speed": "month=5m"], "clock"),
                (["decision": "clear"], "cleared"), (["decision": "family-begin"], "family"),
                (["decision": "family-end"], "family"),
            ] {
                let answer = try await browser.send(path, form)
                #expect(answer.headers[.location] == "\(path)?done=\(done)", "\(form): \(answer.status)")
            }
            #expect(try await browser.get("\(path)?done=clock").text.contains(words.moved))
            for form in [
                ["decision": "move", "by": "9y"], ["decision": "speed", "speed": "\"><script>"],
                ["decision": "family-add", "email": "\"><script>", "role": "child"], ["decision": "\"><script>"],
            ] {
                let answer = try await browser.send(path, form)
                #expect(answer.status == .badRequest && !answer.text.contains("<script"), "\(form)")
            }
            let removed = try await browser.send(path, ["decision": "remove"])
            #expect(removed.headers[.location] == "\(list)?done=tester-removed")
            #expect(try await browser.get(path).status == .notFound)
        }
    }

    @Test(
        "A history of many purchases is cleared in parts, and the page says in the language that others are left",
        arguments: ["en", "de", "fr"])
    func manyPurchases(language: String) async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let anna = try await store.addAccount()
            try await store.addDevice().buy("juice", request: "1", as: anna)
            try await store.context.write(.all) { db in
                _ = try db.run(
                    """
                    WITH RECURSIVE series (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM series WHERE i < $1)
                    INSERT INTO purchase (environment, transaction_id, original_transaction_id, account_id, bundle_id,
                        product_id, kind, quantity, purchased_at, original_purchased_at, milliunits, currency, storefront,
                        is_in_receipt, bucket)
                    SELECT environment, 'copy-' || i, 'copy-' || i, account_id, bundle_id, product_id, kind, quantity,
                        purchased_at - i, original_purchased_at - i, milliunits, currency, storefront, is_in_receipt, bucket
                    FROM purchase, series
                    """, [ManagingTesters.clearedAtOnce])
            }
            let path = "/connect/testers/\(anna.identifier)"
            let part = try await browser.send(path, ["decision": "clear"])
            let sentences = FailureSentences.sentences(try #require(PageLanguage(rawValue: language)))
            #expect(part.status == .serviceUnavailable && part.headers[.retryAfter] == "1")
            #expect(part.text.contains(sentences?[.purchasesLeft] ?? "250 purchases are deleted, and others are left"))
            let rest = try await browser.send(path, ["decision": "clear"])
            #expect(rest.headers[.location] == "\(path)?done=cleared")
        }
    }

    @Test("Names and searches with markup are texts", arguments: Engine.servers)
    func markup(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let attack = "\"><script>x</script>"
            let holder = try await store.setUpTeam()
            let browser = try await ConnectBrowser(client, holder, store)
            let anna = try await store.addAccount()
            try await store.service.change(account: anna.email, .init(name: attack))
            let query = attack.percentEncodedForQuery
            for path in [
                "testers", "testers?q=\(query)&storefront=\(query)&after=\(query)", "testers/\(anna.identifier)",
                "live?q=\(query)", "live?tester=\(query)",
            ] {
                let page = try await browser.get("/connect/\(path)")
                #expect(page.status == .ok, "\(path)")
                #expect(!page.text.replacing("<script src=\"/pages/live.js\"", with: "").contains("<script"), "\(path)")
            }
            for path in ["testers/\(query)", "live?app=\(query)", "apps/\(query)/checklist"] {
                #expect(try await browser.get("/connect/\(path)").status == .notFound, "\(path)")
            }
        }
    }

    @Test(
        "The check list names each missing step up to a finished purchase", arguments: Engine.servers,
        ["en", "de", "fr"])
    func checklist(engine: Engine, language: String) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam("new", holder: "holder@new.example")
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let words = ChecklistWords.words(try #require(PageLanguage(rawValue: language)))
            let app = try await store.service.registeringApp()(
                AppRegistration.Values(
                    bundleIdentifier: "com.example.new", name: "New", sku: "1", primaryLocale: "en_US"), by: holder)
            let path = "/connect/apps/com.example.new/checklist"
            #expect(try await browser.get("/connect/apps/com.example.new").text.contains(path))
            func page() async throws -> String { try await browser.get(path).text }
            func expect(_ missing: [AppChecklist.Step]) async throws {
                let list = try await store.service.checklist(of: app.bundleIdentifier, as: holder)
                #expect(AppChecklist.Step.allCases.filter { !list.isDone($0) } == missing)
            }
            try await expect([.product, .sold, .tester, .request, .purchase, .finish, .notifications])
            #expect(try await page().contains("/connect/apps/com.example.new/new-product?kind=Consumable"))
            var values = TestStore.productValues()
            values.tier = ""
            try await store.registerProduct("kiwi", in: "com.example.new", values: values, by: holder)
            try await expect([.sold, .tester, .request, .purchase, .finish, .notifications])
            #expect(try await page().contains("/connect/apps/com.example.new/products/kiwi"))
            try await store.registerProduct("mango", in: "com.example.new", by: holder)
            _ = try await store.service.managingTesters().add(
                TesterValues(email: "tess@example.com", password: "x", storefront: "USA"), by: holder)
            try await expect([.request, .purchase, .finish, .notifications])
            #expect(try await page().contains(words.requestMissing.prefix(30)))

            let tess = try await store.service.account("tess@example.com")
            let phone = try await store.addDevice()
            let asked = try await phone.call(
                PaymentCall(
                    requestIdentifier: "1", bundleIdentifier: "com.example.new", productIdentifier: "mango",
                    quantity: 1))
            try await expect([.purchase, .finish, .notifications])
            _ = try await store.service.buy(onSheet: phone.token(asked.sheet), as: tess, shown: nil)
            try await expect([.finish, .notifications])
            let list = try await store.service.checklist(of: app.bundleIdentifier, as: holder)
            let bought = try #require(list.purchase?.transactionIdentifier)
            #expect(try await page().contains("/connect/transactions/\(bought)"))
            try await FinishingServedTransaction(store.context)(bought, in: app.bundleIdentifier)
            try await expect([.notifications])
            #expect(try await page().contains(words.complete))
        }
    }
}

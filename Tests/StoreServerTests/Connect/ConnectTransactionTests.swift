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

/// The pages of transactions.
struct ConnectTransactionTests {
    @Test(
        "A purchase is found, opened, refunded and its notification sent again, in three languages",
        arguments: Engine.servers, ["en", "de", "fr"])
    func whole(engine: Engine, language: String) async throws {
        let receiver = RecordedNotifications()
        try await engine.withHTTP(notifications: receiver) { store, client in
            let holder = try await store.setUpTeam()
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let page = try #require(PageLanguage(rawValue: language))
            let (words, lists) = (RecordWords.words(page), TransactionWords.words(page))
            #expect(try await browser.get("/connect/transactions").text.contains(lists.none))
            let (anna, _, apple) = try await store.buyWithNotification()
            let path = "/connect/transactions/\(apple)"
            let listed = try await browser.get("/connect/transactions").text
            #expect(listed.contains("href=\"\(path)\"") && listed.contains("<html lang=\"\(language)\""))
            #expect(try await browser.get("/connect/transactions?q=\(apple)").text.contains(path))
            #expect(try await !browser.get("/connect/transactions?state=refunded").text.contains(path))

            let opened = try await browser.get(path).text
            for text in [
                anna.email, words.customersView, words.customerMayAsk, words.inReceipt, TestStore.sellersServer,
                EventWords.words(page).bought, EventWords.words(page).charge, "ONE_TIME_CHARGE", "SUCCESS",
            ] {
                #expect(opened.contains(text.replacing("'", with: "&#39;")), "\(text)")
            }
            #expect(opened.utf8.count < 80_000)
            let refund = try #require(opened.firstMatch(of: /name="refund" value="([0-9a-f]{32})"/)).1
            let tooMuch = try await browser.send(
                path, ["decision": "refund", "amount": "99", "refund": String(refund)])
            #expect(tooMuch.status == .badRequest && tooMuch.text.contains(FieldWords.words(page).tooLarge))
            #expect(tooMuch.text.contains("value=\"99\""))
            for _ in 0..<2 {
                let answer = try await browser.send(
                    path, ["decision": "refund", "amount": "", "refund": String(refund)])
                #expect(answer.headers[.location] == "\(path)?done=refunded")
            }
            _ = try await store.service.settleNotifications(of: "", within: .seconds(60))
            let refunded = try await browser.get("\(path)?done=refunded").text
            #expect(refunded.contains(words.refundDone) && refunded.contains("REFUND"))
            #expect(refunded.contains(EventWords.words(page).refunded) && !refunded.contains("value=\"refund\""))
            #expect(receiver.kinds == ["ONE_TIME_CHARGE", "REFUND"])

            let newest = try #require(refunded.firstMatch(of: /name="notification" value="([0-9a-f-]{36})"/)).1
            let sent = try await browser.send(path, ["decision": "resend", "notification": String(newest)])
            #expect(sent.headers[.location] == "\(path)?done=resent")
            _ = try await store.service.settleNotifications(of: "", within: .seconds(60))
            #expect(receiver.kinds == ["ONE_TIME_CHARGE", "REFUND", "REFUND"])
            #expect(try await browser.get("/connect/log").text.contains(LogWords.words(page).name(.notificationResent)))
        }
    }

    @Test("Filters, searches and account tokens with markup are texts", arguments: Engine.servers)
    func markup(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let attack = "\"><script>x</script>"
            let holder = try await store.setUpTeam()
            let browser = try await ConnectBrowser(client, holder, store)
            let anna = try await store.addAccount()
            let call = Control.BuyCall(
                email: anna.email, bundle: TestStore.bundleIdentifier, product: "juice", accountToken: attack)
            let bought = try JSONDecoder().decode(
                Control.TransactionAnswer.self,
                from: try await store.service.control(.buy, try JSONEncoder().encode(call)))
            let transaction = bought.transaction
            let query = attack.percentEncodedForQuery
            for path in [
                "?q=\(query)", "?kind=\(query)&state=\(query)&before=\(query)", "/\(transaction)",
            ] {
                let page = try await browser.get("/connect/transactions\(path)")
                #expect(page.status == .ok && !page.text.contains("<script"), "\(path)")
            }
            #expect(try await browser.get("/connect/transactions?q=\(query)").text.contains(transaction))
            for path in ["/\(query)", "?app=\(query)", "/%00"] {
                #expect(try await browser.get("/connect/transactions\(path)").status == .notFound, "\(path)")
            }
            for form in [
                ["decision": "refund", "refund": attack], ["decision": "resend", "notification": attack],
                ["decision": attack],
            ] {
                let answer = try await browser.send("/connect/transactions/\(transaction)", form)
                #expect([.badRequest, .notFound].contains(answer.status) && !answer.text.contains("<script"))
            }
        }
    }

    @Test("A list's page keeps its filters in the links, and weighs under 80 KB")
    func weight() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let browser = try await ConnectBrowser(client, holder, store)
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            for number in 0..<60 { try await phone.buy("juice", request: "\(number)", as: anna) }
            let page = try await browser.get("/connect/transactions?kind=Consumable&state=valid")
            #expect(page.text.utf8.count < 80_000)
            let link = try #require(page.text.firstMatch(of: /href="([^"]*before=[^"]*)"/)).1
            let next = String(link).replacing("&amp;", with: "&")
            #expect(next.contains("kind=Consumable&state=valid"))
            let rest = try await browser.get(String(next)).text
            #expect(rest.matches(of: /href="\/connect\/transactions\/\d+"/).count == 10)
        }
    }
}

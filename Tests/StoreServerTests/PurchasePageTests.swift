// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreServer
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreService

/// The pages of a customer's purchases, and requests for refunds.
struct PurchasePageTests {
    private static let password = TestStore.password.replacing(" ", with: "+")
    private static let page = "/account/purchases"
    private static let german: HTTPFields = [.acceptLanguage: "de"]

    private static func form(_ account: Account, _ rest: String = "decision=show") -> String {
        "email=\(account.email)&password=\(password)&\(rest)"
    }

    /// A customer who has bought an apple, and its transaction.
    private static func bought(_ store: TestStore) async throws -> (anna: Account, transaction: String) {
        let anna = try await store.addAccount()
        let phone = try await store.addDevice()
        let apple = try await phone.buy("apple", request: "apple", as: anna)
        return (anna, apple.transactionIdentifier)
    }

    @Test("A customer sees purchases newest first, a receipt, and reports a problem once", arguments: Engine.servers)
    func story(engine: Engine) async throws {
        try await engine.withControl { store, client in
            let (anna, apple) = try await Self.bought(store)
            let asked = try await client.get(Self.page)
            #expect(asked.status == .ok && asked.text.contains("id=\"sign-in\""))

            let list = try await client.post(Self.page, Self.form(anna), headers: Self.german)
            #expect(list.text.contains("<html lang=\"de\" dir=\"ltr\">") && list.text.contains("<h1>Käufe</h1>"))
            #expect(list.text.contains("href=\"\(Self.page)/\(apple)\"") && list.text.contains("0,99 $"))
            #expect(list.text.contains("aria-current=\"page\">Käufe"))

            let receipt = try await client.post("\(Self.page)/\(apple)", Self.form(anna))
            #expect(receipt.text.contains("<dt>Number</dt><dd><bdi>\(apple)</bdi></dd>"))

            let problem = "\(Self.page)/\(apple)/problem"
            let ask = Self.form(anna, "decision=ask&reason=child&comment=%3Cb%3Esorry")
            for _ in 1...2 {
                let answer = try await client.post(problem, ask)
                #expect(answer.status == .ok && answer.text.contains("have not decided yet"))
            }
            let waiting = try await client.post("/control/v1/refund-requests", "{}", headers: .control)
            let requests = try #require(try waiting.object()["requests"] as? [[String: Any]])
            #expect(requests.count == 1 && requests.first?["comment"] as? String == "<b>sorry")
            let request = try #require(requests.first?["request"] as? String)

            for _ in 1...2 {
                let approved = try await client.post(
                    "/control/v1/approve-refund", "{\"request\": \"\(request)\"}", headers: .control)
                #expect(try approved.object()["status"] as? String == "approved")
            }
            let declined = try await client.post(
                "/control/v1/decline-refund", "{\"request\": \"\(request)\"}", headers: .control)
            #expect(declined.code == "decided")
            let after = try await client.post("\(Self.page)/\(apple)", Self.form(anna))
            #expect(after.text.contains("Refunded on "))
            let again = try await client.post(problem, ask)
            #expect(again.text.contains("This was refunded already."))
        }
    }

    @Test("A script gets the purchases, a single one and a refusal as JSON", arguments: Engine.servers)
    func script(engine: Engine) async throws {
        try await engine.withControl { store, client in
            let (anna, apple) = try await Self.bought(store)
            let list = try await client.post(Self.page, Self.form(anna), headers: .script).object()
            let purchases = try #require(list["purchases"] as? [[String: Any]])
            #expect(purchases.map { $0["transaction"] as? String } == [apple] && list["next"] == nil)
            #expect(purchases.first?["milliunits"] as? Int == 990 && purchases.first?["currency"] as? String == "USD")

            let problem = "\(Self.page)/\(apple)/problem"
            let odd = try await client.post(problem, Self.form(anna, "decision=ask&reason=rain"), headers: .script)
            #expect(odd.status == .badRequest && odd.code == "invalid" && odd.text.contains("unintended, child"))
            let ask = Self.form(anna, "decision=ask&reason=other")
            let asked = try await client.post(problem, ask, headers: .script).object()
            #expect(asked["transaction"] as? String == apple && asked["refundRequest"] as? String == "open")
            let one = try await client.post("\(Self.page)/\(apple)", Self.form(anna), headers: .script).object()
            #expect(one["refundRequest"] as? String == "open" && one["refunded"] == nil)
        }
    }

    @Test("Another customer's receipt isn't shown, and no refund is asked for it", arguments: Engine.servers)
    func others(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let (_, apple) = try await Self.bought(store)
            let berta = try await store.addAccount("berta@example.com")
            for path in ["", "/problem"] {
                let answer = try await client.post(
                    "\(Self.page)/\(apple)\(path)", Self.form(berta, "decision=ask&reason=other"))
                #expect(answer.status == .notFound)
            }
            #expect(try await DecidingRefund(store.context).waiting(after: nil).isEmpty)
        }
    }

    @Test("A form of another site shows nothing and asks for nothing", arguments: Engine.servers)
    func otherSites(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let (anna, apple) = try await Self.bought(store)
            let site = HTTPFields().merging(cookie: "", site: "cross-site")
            for path in [Self.page, "\(Self.page)/\(apple)/problem"] {
                let answer = try await client.post(path, Self.form(anna, "decision=ask&reason=other"), headers: site)
                #expect(answer.status == .forbidden && !answer.text.contains(apple))
            }
            #expect(try await DecidingRefund(store.context).waiting(after: nil).isEmpty)
        }
    }

    @Test("Thousands of purchases are read a page at a time, each once", arguments: Engine.servers)
    func pages(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let read = ReadingPurchaseHistory(store.context)
            let count = ReadingPurchaseHistory.pageSize + 3
            for number in 1...count { _ = try await phone.buy("juice", request: "juice-\(number)", as: anna) }
            let first = try await read(of: anna.identifier)
            #expect(first.entries.count == ReadingPurchaseHistory.pageSize && first.next != nil)
            let second = try await read(of: anna.identifier, before: first.next)
            #expect(second.entries.count == 3 && second.next == nil)
            let all = (first.entries + second.entries).map(\.purchase.position)
            #expect(Set(all).count == count)
            #expect(
                all.map(\.date.milliseconds) == all.map(\.date.milliseconds).sorted(by: >), "newest first")
        }
    }

    @Test("A declined request stays declined, and the customer may ask again", arguments: Engine.servers)
    func declined(engine: Engine) async throws {
        try await engine.withStore { store in
            let (anna, apple) = try await Self.bought(store)
            let (ask, decide) = (AskingForRefund(store.context), DecidingRefund(store.context))
            let transaction = TransactionIdentifier(apple)
            let first = try await ask(transaction, of: anna.identifier, because: .broken, comment: " ")
            #expect(first.comment == nil)
            #expect(try await decide.decline(first.identifier).status == .declined)
            await #expect(throws: DomainError(.decided, "")) { _ = try await decide.approve(first.identifier) }
            let second = try await ask(transaction, of: anna.identifier, because: .other, comment: "Please.")
            #expect(second.identifier != first.identifier)
            #expect(try await decide.waiting(after: nil).map(\.identifier) == [second.identifier])
            try await ClosingAccount(store.context)(email: anna.email)
            #expect(try await decide.waiting(after: nil).map(\.comment) == [nil])
        }
    }

    @Test("A comment that is too long and a purchase that cost nothing are refused", arguments: Engine.servers)
    func refused(engine: Engine) async throws {
        try await engine.withStore { store in
            let (anna, apple) = try await Self.bought(store)
            let ask = AskingForRefund(store.context)
            let long = String(repeating: "x", count: RefundRequest.longestComment + 1)
            await #expect(throws: DomainError(.invalid, "")) {
                try await ask(TransactionIdentifier(apple), of: anna.identifier, because: .other, comment: long)
            }
            let tablet = try await store.addDevice(2)
            let free = try await tablet.buy("apple", request: "again", as: anna)
            await #expect(throws: DomainError(.invalid, "")) {
                try await ask(
                    TransactionIdentifier(free.transactionIdentifier), of: anna.identifier, because: .other,
                    comment: nil)
            }
        }
    }
}

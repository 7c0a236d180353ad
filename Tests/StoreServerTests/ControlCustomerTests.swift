// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The calls of `/control/v1/…` that a customer makes without a device.
@Suite(.timeLimit(.hang))
struct ControlCustomerTests {
    /// A client of the remote control, with one account.
    private struct Desk {
        let store: TestStore
        let client: any TestClientProtocol

        func post(_ verb: String, _ values: String) async throws -> TestResponse {
            try await client.post("/control/v1/\(verb)", "{\(values)}", headers: .control)
        }

        func buy(_ product: String, _ more: String = "") async throws -> TestResponse {
            try await post(
                "buy",
                """
                "email": "anna@example.com", "bundle": "\(TestStore.bundleIdentifier)", "product": "\(product)"\(more)
                """)
        }

        /// The number of a purchase that has to succeed.
        func bought(_ product: String, _ more: String = "") async throws -> String {
            let answer = try await buy(product, more).object()
            #expect(answer["status"] as? String == "done", "\(answer)")
            return try #require(answer["transaction"] as? String)
        }
    }

    private func withDesk(_ engine: Engine, _ body: @Sendable @escaping (Desk) async throws -> Void) async throws {
        try await engine.withControl { store, client in
            let bundle = BundleIdentifier(TestStore.bundleIdentifier)
            try await ImportingCatalogue(store.context)(
                StoreKitConfigurationFile(
                    Data(ControlCustomerTests.catalogue.utf8), file: "basket.storekit", bundleIdentifier: bundle),
                into: App(bundleIdentifier: bundle, name: "Fruit"))
            _ = try await store.addAccount()
            try await body(Desk(store: store, client: client))
        }
    }

    private static let catalogue = """
        {
          "products" : [
            { "displayPrice" : "0.99", "familyShareable" : false, "internalID" : "1", "productID" : "apple",
              "referenceName" : "Apple", "type" : "NonConsumable", "localizations" : [] },
            { "displayPrice" : "0.49", "familyShareable" : false, "internalID" : "3", "productID" : "juice",
              "referenceName" : "Juice", "type" : "Consumable", "localizations" : [] }
          ],
          "subscriptionGroups" : [
            { "id" : "G", "name" : "Baskets", "localizations" : [], "subscriptions" : [
              { "productID" : "large", "referenceName" : "Large", "displayPrice" : "9.99", "internalID" : "L",
                "familyShareable" : true, "type" : "RecurringSubscription", "recurringSubscriptionPeriod" : "P1M",
                "groupNumber" : 1, "subscriptionGroupID" : "G", "localizations" : [],
                "adHocOffers" : [ { "offerID" : "spring", "referenceName" : "Spring", "paymentMode" : "payUpFront",
                  "displayPrice" : "1.99", "subscriptionPeriod" : "P1M", "numberOfPeriods" : 1, "internalID" : "O" } ] },
              { "productID" : "small", "referenceName" : "Small", "displayPrice" : "4.99", "internalID" : "S",
                "familyShareable" : true, "type" : "RecurringSubscription", "recurringSubscriptionPeriod" : "P1M",
                "groupNumber" : 2, "subscriptionGroupID" : "G", "localizations" : [] } ] }
          ],
          "version" : { "major" : 2, "minor" : 0 }
        }
        """

    @Test("A purchase is charged, in the receipts of the devices, finished and restored", arguments: Engine.servers)
    func purchase(engine: Engine) async throws {
        try await withDesk(engine) { desk in
            let phone = try await desk.store.addDevice()
            let anna = try await desk.store.service.account("anna@example.com")
            _ = try await phone.buy("juice", request: "1", as: anna)
            let token = UUID().uuidString.lowercased()

            let apple = try await desk.bought("apple", #", "accountToken": "\#(token)""#)

            #expect(try await desk.store.ledger() == [990, 490])
            let bought = try await desk.store.service.historyEntry(TransactionIdentifier(apple), of: anna).purchase
            #expect(bought.applicationUsername == token)
            let receipt = try #require(try await phone.receiptAnswer().receipt.flatMap { Data(base64Encoded: $0) })
            let listed = try UnverifiedAppReceipt(parsing: receipt).contents.inAppPurchases
            #expect(Set(listed.map(\.productIdentifier)) == ["apple", "juice"])
            #expect(try await desk.store.count("queue_entry", where: "transaction_id = '\(apple)'") == 1)

            let finished = try await desk.post("finish", #""transaction": "\#(apple)""#)
            #expect(try finished.object()["status"] as? String == "done")
            #expect(try await desk.store.count("queue_entry", where: "transaction_id = '\(apple)'") == 0)
            let restored = try await desk.post(
                "restore", #""email": "anna@example.com", "bundle": "\#(TestStore.bundleIdentifier)", "request": "r""#)
            let transactions = try #require(try restored.object()["transactions"] as? [[String: Any]])
            #expect(transactions.map { $0["original"] as? String } == [apple])
            let again = try await desk.post(
                "restore", #""email": "anna@example.com", "bundle": "\#(TestStore.bundleIdentifier)", "request": "r""#)
            #expect(again.text == restored.text)
            #expect(try await desk.post("finish", #""transaction": "1""#).status == .notFound)
        }
    }

    @Test("A promotional offer needs no signature, and its purchase has its charges", arguments: Engine.servers)
    func offer(engine: Engine) async throws {
        try await withDesk(engine) { desk in
            _ = try await desk.bought("small")
            let large = try await desk.bought("large", #", "offer": "spring", "request": "a""#)
            #expect(try await desk.bought("large", #", "offer": "spring", "request": "a""#) == large)
            func charges(_ transaction: String) async throws -> [String] {
                let answer = try await desk.post("charges", "\"transaction\": \"\(transaction)\"").object()
                let charges = try #require(answer["charges"] as? [[String: Any]])
                return try charges.map { charge in
                    #expect(charge["currency"] as? String == "USD" && charge["at"] as? String != nil)
                    let kind = try #require(charge["kind"] as? String)
                    let amount = try #require(charge["amount"] as? String)
                    return "\(kind) \(amount)"
                }
            }
            #expect(try await charges(large) == ["charge 1.99"])
            try await desk.store.service.refund(TransactionIdentifier(large), amount: "0.50")
            #expect(try await charges(large) == ["charge 1.99", "refund -0.50"])

            let unknown = try await desk.buy("small", #", "offer": "autumn""#)
            #expect(try unknown.object()["status"] as? String == "failed", "\(unknown.text)")
            let both = try await desk.buy("small", #", "offer": "spring", "winBackOffer": "back""#)
            #expect(both.status == .badRequest && both.code == "invalid")
            let long = try await desk.buy("small", #", "offer": "\#(String(repeating: "x", count: 201))""#)
            #expect(long.status == .badRequest)
            #expect(try await desk.post("charges", #""transaction": "1""#).status == .notFound)
        }
    }

    @Test("A request for a refund is approved for a part of the price, once", arguments: Engine.servers)
    func partOfARefund(engine: Engine) async throws {
        try await withDesk(engine) { desk in
            let apple = try await desk.bought("apple")
            let asked = try await desk.post("ask-refund", #""transaction": "\#(apple)", "reason": "other""#).object()
            let request = try #require(asked["request"] as? String)
            for (amount, status) in [("0.x", 400), ("0", 400), ("9.99", 409)] {
                let refused = try await desk.post(
                    "approve-refund", #""request": "\#(request)", "amount": "\#(amount)""#)
                #expect(refused.status.code == status, "\(amount): \(refused.text)")
            }
            #expect(try await desk.store.ledger() == [990])
            for _ in 0..<2 {
                let approved = try await desk.post("approve-refund", #""request": "\#(request)", "amount": "0.30""#)
                #expect(try approved.object()["status"] as? String == "approved", "\(approved.text)")
            }
            #expect(try await desk.store.ledger() == [990, -300])
            #expect(try await desk.store.count("purchase", where: "revoked_part = 30303") == 1)
        }
    }

    @Test("A code is redeemed once, and an unknown one is refused", arguments: Engine.servers)
    func redemption(engine: Engine) async throws {
        try await withDesk(engine) { desk in
            try await desk.store.sellWeekly(code: "WELCOME26")
            func redeem(_ code: String, _ request: String) async throws -> TestResponse {
                try await desk.post(
                    "redeem",
                    """
                    "email": "anna@example.com", "bundle": "\(TestStore.bundleIdentifier)", "code": "\(code)",
                    "request": "\(request)"
                    """)
            }
            let first = try await redeem("welcome26", "a").object()
            #expect(first["status"] as? String == "done" && first["product"] as? String == "weekly", "\(first)")
            let again = try await redeem("welcome26", "a").object()
            #expect(again["transaction"] as? String == first["transaction"] as? String)
            #expect(try await redeem("NO-SUCH-CODE", "b").status.kind == .clientError)
            #expect(try await redeem("welcome26", "c").status.kind == .clientError)
            #expect(try await desk.store.count("purchase", where: "product_id = 'weekly'") == 1)
        }
    }

    @Test(
        "Every device that uses the app receives a purchase, and a consumable goes to the last used one",
        arguments: Engine.servers)
    func delivery(engine: Engine) async throws {
        try await withDesk(engine) { desk in
            let anna = try await desk.store.service.account("anna@example.com")
            let (phone, tablet) = (try await desk.store.addDevice(1), try await desk.store.addDevice(2))
            for device in [phone, tablet] {
                desk.store.clock.advance(by: .seconds(1))
                let juice = try await device.buy("juice", request: "first", as: anna)
                try await device.finish(juice.transactionIdentifier)
                _ = try await desk.store.service.feed(
                    EventSubscription(
                        credentials: device.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil))
            }

            let apple = try await desk.bought("apple")
            let large = try await desk.bought("large")
            let juice = try await desk.bought("juice")

            #expect(try await phone.queue().map(\.transactionIdentifier) == [apple, large])
            #expect(try await tablet.queue().map(\.transactionIdentifier) == [apple, large, juice])
            #expect(try await tablet.queue().allSatisfy { $0.requestIdentifier == nil })
            try await tablet.finish(juice)
            #expect(try await desk.store.count("queue_entry", where: "transaction_id = '\(juice)'") == 0)
            try await phone.finish(apple)
            #expect(try await desk.store.count("queue_entry", where: "transaction_id = '\(apple)'") == 0)
        }
    }

    @Test("No device can register as the one that the remote control buys on", arguments: Engine.servers)
    func device(engine: Engine) async throws {
        try await withDesk(engine) { desk in
            let anna = try await desk.store.service.account("anna@example.com")
            let juice = try await desk.bought("juice")
            let name = "remote control of \(anna.identifier)"
            #expect(try await desk.store.count("queue_entry", where: "device_id = '\(name)'") == 1)

            let thief = DeviceCredentials(identifier: name, secret: String(repeating: "a", count: 64))
            await #expect(throws: StoreFailure.self) {
                try await LocalStoreConnection(desk.store.service).call(RegisterCall(), as: thief)
            }
            #expect(try await desk.post("finish", #""transaction": "\#(juice)""#).status == .ok)
        }
    }

    @Test("A repeated purchase is one purchase, and another request another one", arguments: Engine.servers)
    func repetition(engine: Engine) async throws {
        try await withDesk(engine) { desk in
            let first = try await desk.bought("juice", #", "request": "a", "quantity": 3"#)
            #expect(try await desk.bought("juice", #", "request": "a", "quantity": 3"#) == first)
            let other = try await desk.buy("juice", #", "request": "a", "quantity": 2"#)
            #expect(other.status == .badRequest && other.code == "request-mismatch")
            #expect(try await desk.bought("juice") != first)
            #expect(try await desk.bought("juice") != first)
            #expect(try await desk.store.ledger() == [1470, 490, 490])
        }
    }

    @Test("A purchase that can't be made is refused with a code or a reason", arguments: Engine.servers)
    func refusals(engine: Engine) async throws {
        try await withDesk(engine) { desk in
            let unknown = try await desk.buy("pineapple").object()
            #expect(unknown["status"] as? String == "failed" && unknown["message"] != nil)
            #expect(try await desk.buy("juice", #", "quantity": 11"#).object()["status"] as? String == "failed")
            #expect(
                try await desk.buy("juice", #", "request": "\#(String(repeating: "a", count: 300))""#).code == "invalid"
            )
            let app = try await desk.post("buy", #""email": "anna@example.com", "bundle": "a.b", "product": "juice""#)
            #expect(app.status == .notFound)
            let account = try await desk.post(
                "buy", #""email": "b@example.com", "bundle": "\#(TestStore.bundleIdentifier)", "product": "juice""#)
            #expect(account.status == .notFound)
            desk.store.cardLimit.milliunits = 0
            #expect(try await desk.buy("juice").code == "declined")
            #expect(try await desk.store.ledger().isEmpty)
        }
    }

    @Test("The next two charges are declined with a reason, and the third one isn't", arguments: Engine.servers)
    func countedDeclines(engine: Engine) async throws {
        try await withDesk(engine) { desk in
            let large = try await desk.bought("large")
            let set = try await desk.post(
                "set-payment-answer", #""answer": "decline", "times": 2, "reason": "The card has expired.""#)
            #expect(set.status == .ok)
            let declined = try await desk.buy("juice", #", "request": "a""#)
            #expect(declined.code == "declined" && declined.text.contains("The card has expired."))
            // A charge of a renewal counts too.
            let renewed = try await desk.post("renew-subscription", #""transaction": "\#(large)""#).object()
            #expect(renewed["status"] as? String == "billing retry", "\(renewed)")
            #expect(try await desk.store.count("sandbox_answer") == 0)
            _ = try await desk.bought("juice")
            for wrong in [#""times": 0"#, #""times": 1001"#, #""reason": """#, #""reason": "a\nb""#] {
                let answer = try await desk.post("set-payment-answer", #""answer": "decline", \#(wrong)"#)
                #expect(answer.status == .badRequest, "\(wrong)")
            }
            let odd = try await desk.post("set-payment-answer", #""answer": "authorise", "reason": "No.""#)
            #expect(odd.status == .badRequest)
        }
    }

    @Test("A child's purchases wait with their numbers, and are approved", arguments: Engine.servers)
    func child(engine: Engine) async throws {
        try await withDesk(engine) { desk in
            _ = try await desk.post("account", #""email": "anna@example.com", "asksToBuy": true"#)
            for count in 1...2 {
                let waiting = try await desk.buy("juice").object()
                #expect(waiting["status"] as? String == "deferred")
                let number = try #require(waiting["transaction"] as? String)
                let approved = try await desk.post("approve", #""transaction": "\#(number)""#)
                #expect(try approved.object()["status"] as? String == "done")
                #expect(try await desk.store.ledger().count == count)
            }
        }
    }

    @Test("A subscription's plan is chosen, and it is renewed and ended early", arguments: Engine.servers)
    func subscription(engine: Engine) async throws {
        try await withDesk(engine) { desk in
            let first = try await desk.bought("large")
            let chosen = try await desk.post("choose-plan", #""transaction": "\#(first)", "product": "small""#).object()
            #expect(chosen["product"] as? String == "large" && chosen["nextProduct"] as? String == "small")
            let renewed = try await desk.post("renew-subscription", #""transaction": "\#(first)""#).object()
            #expect(renewed["product"] as? String == "small" && renewed["status"] as? String == "active")
            #expect(try await desk.store.ledger() == [9990, 4990])
            let shared = try await desk.post("share-subscription", #""transaction": "\#(first)", "isShared": true"#)
            #expect(shared.status == .ok)
            let expired = try await desk.post("expire-subscription", #""transaction": "\#(first)""#).object()
            #expect(expired["status"] as? String == "expired")
            #expect(try await desk.post("expire-subscription", #""transaction": "\#(first)""#).status == .notFound)
            let juice = try await desk.bought("juice")
            #expect(try await desk.post("renew-subscription", #""transaction": "\#(juice)""#).status == .notFound)
        }
    }

    @Test("A refund is asked for, and decided", arguments: Engine.servers)
    func refund(engine: Engine) async throws {
        try await withDesk(engine) { desk in
            let juice = try await desk.bought("juice")
            let asked = try await desk.post(
                "ask-refund", #""transaction": "\#(juice)", "reason": "broken", "comment": "It is sour.""#
            ).object()
            #expect(asked["status"] as? String == "open" && asked["comment"] as? String == "It is sour.")
            let request = try #require(asked["request"] as? String)
            let repeated = try await desk.post("ask-refund", #""transaction": "\#(juice)", "reason": "other""#).object()
            #expect(repeated["request"] as? String == request)
            let approved = try await desk.post("approve-refund", #""request": "\#(request)""#).object()
            #expect(approved["status"] as? String == "approved")
            #expect(try await desk.store.ledger() == [490, -490])
            let odd = try await desk.post("ask-refund", #""transaction": "\#(juice)", "reason": "sour""#)
            #expect(odd.status == .badRequest && odd.text.contains("unintended, child"))
        }
    }

    @Test("A refund is taken back", arguments: Engine.servers)
    func reverse(engine: Engine) async throws {
        try await withDesk(engine) { desk in
            let juice = try await desk.bought("juice")
            let early = try await desk.post("reverse-refund", #""transaction": "\#(juice)""#)
            #expect(early.status == .badRequest && early.text.contains("isn't refunded"))
            _ = try await desk.post("refund", #""transaction": "\#(juice)""#)
            let identifier = String(repeating: "6f", count: 16)
            for _ in 0..<2 {
                let reversed = try await desk.post(
                    "reverse-refund", #""transaction": "\#(juice)", "identifier": "\#(identifier)""#
                ).object()
                #expect(reversed["status"] as? String == "done" && reversed["product"] as? String == "juice")
            }
            #expect(try await desk.store.ledger() == [490, 490, -490])
            #expect(try await desk.post("reverse-refund", #""transaction": "2""#).status == .notFound)
        }
    }

    @Test("The purchases of a tester are deleted, and can be made again", arguments: Engine.servers)
    func clear(engine: Engine) async throws {
        try await withDesk(engine) { desk in
            let berta = try await desk.store.addAccount("berta@example.com")
            _ = try await desk.store.addDevice(2).buy("apple", request: "1", as: berta)
            _ = try await desk.bought("apple")
            let large = try await desk.bought("large")
            _ = try await desk.post("renew-subscription", #""transaction": "\#(large)""#)
            let cleared = try await desk.post("clear-purchases", #""email": "anna@example.com""#)
            #expect(try cleared.object()["deleted"] as? Int == 3)
            #expect(try await desk.store.count("purchase") == 1)
            #expect(try await desk.store.count("subscription") == 0)
            #expect(
                try await desk.post("clear-purchases", #""email": "anna@example.com""#).object()["deleted"] as? Int == 0
            )
            _ = try await desk.bought("apple")
            #expect(try await desk.post("clear-purchases", #""email": "c@example.com""#).status == .notFound)
        }
    }

    @Test("New certificates sign from now on, and old receipts stay valid")
    func certificates() async throws {
        var random = SeededGenerator(seed: 71)
        let authority = try SigningAuthority.create(using: &random)
        try await Engine.sqliteMemory.withStore { store in
            let service = StoreService(
                store.context, authority: authority, publicURL: "https://store.example", logger: .silent)
            let before = try authority.leafSerialNumbers(of: .sandbox)
            let receipt = try authority.sign(
                AppReceipt(
                    environment: .sandbox, bundleIdentifier: "a.b", applicationVersion: "1", opaqueValue: Data([1]),
                    deviceHash: Data(count: 20), creationDate: store.clock.now.date))

            let answer = try await service.control(.rotateCertificates, Data("{}".utf8))

            let after = try authority.leafSerialNumbers(of: .sandbox)
            #expect(after.receipts != before.receipts && after.jws != before.jws)
            let object = try #require(try JSONSerialization.jsonObject(with: answer) as? [String: String])
            #expect(object == ["receipts": "\(after.receipts)", "jws": "\(after.jws)"])
            guard case .app = try await service.verify(receipt: receipt) else { throw Missing() }
        }
    }

    /// The rows that a call of one node has written are there for the next call
    /// of the other one.
    @Test("Each call sees the calls before it, also those of another node", arguments: Engine.stores)
    func visibility(engine: Engine) async throws {
        try await engine.withTwoDatabases(hasTables: true) { one, other in
            let clock = TestClock()
            let first = try await TestStore(one, clock: clock, seed: 7)
            let nodes = [first, try await TestStore(other, clock: clock, seed: 8)]
            func call(_ node: Int, _ verb: Control.Verb, _ body: String) async throws -> [String: Any] {
                let answer = try await nodes[node % 2].service.control(verb, Data(body.utf8))
                return try #require(try JSONSerialization.jsonObject(with: answer) as? [String: Any])
            }
            for number in 0..<10 {
                let email = "customer-\(number)@example.com"
                _ = try await call(
                    number, .addAccount, #"{"email": "\#(email)", "password": "long enough", "storefront": "USA"}"#)
                let bought = try await call(
                    number + 1, .buy,
                    #"{"email": "\#(email)", "bundle": "\#(TestStore.bundleIdentifier)", "product": "apple"}"#)
                let transaction = try #require(bought["transaction"] as? String)
                let finished = try await call(number, .finish, #"{"transaction": "\#(transaction)"}"#)
                #expect(finished["status"] as? String == "done")
                let refunded = try await call(number + 1, .refund, #"{"transaction": "\#(transaction)"}"#)
                #expect(refunded["status"] as? String == "refunded")
                let cleared = try await call(number, .clearPurchases, #"{"email": "\#(email)"}"#)
                #expect(cleared["deleted"] as? Int == 1)
                _ = try await call(number + 1, .reset, "{}")
                let accounts = try await call(number, .accounts, "{}")
                #expect((accounts["accounts"] as? [Any])?.isEmpty == true)
            }
        }
    }

    private struct Missing: Error {}
}

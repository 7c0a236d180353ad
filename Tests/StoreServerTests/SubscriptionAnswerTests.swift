// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreDomain
import StoreServer
import StoreService
import StoreTestSupport
import Testing

/// The fields of `/verifyReceipt` about subscriptions that the store has sold.
@Suite(.timeLimit(.hang))
struct SubscriptionAnswerTests {
    private static let dates = ["expires_date", "purchase_date", "original_purchase_date"]

    private static func keys(_ names: [String], _ dates: [String]) -> Set<String> {
        Set(names + dates.flatMap { [$0, "\($0)_ms", "\($0)_pst"] })
    }

    private func ask(
        _ client: any TestClientProtocol, _ receipt: String, _ rest: String = ""
    ) async throws -> [String: Any] {
        let response = try await client.post("/verifyReceipt", "{\"receipt-data\":\"\(receipt)\"\(rest)}")
        #expect(response.status == .ok)
        return try response.object()
    }

    @Test("A renewed subscription's answer has Apple's fields", arguments: Engine.servers)
    func renewed(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let phone = try await store.subscribe()
            let first = try await phone.subscribedReceipt()
            try await store.advance(days: 40)

            let object = try await ask(client, first.receipt)

            #expect(object["status"] as? Int == 0)
            let info = try #require(object["latest_receipt_info"] as? [[String: String]])
            #expect(info.count == 2)
            let newest = try #require(info.first)
            #expect(
                Set(newest.keys)
                    == Self.keys(
                        [
                            "quantity", "product_id", "transaction_id", "original_transaction_id", "is_trial_period",
                            "is_in_intro_offer_period", "web_order_line_item_id", "subscription_group_identifier",
                            "in_app_ownership_type",
                        ], Self.dates))
            #expect(newest["subscription_group_identifier"] == "BASKETS")
            #expect(newest["in_app_ownership_type"] == "PURCHASED")
            #expect(newest["original_transaction_id"] == first.transaction)
            #expect(newest["is_trial_period"] == "false" && newest["is_in_intro_offer_period"] == "false")
            // From 2026-01-01 19:04:05 in California to the same time of the first day of the next months.
            #expect(newest["purchase_date"] == "2026-02-02 03:04:05 Etc/GMT")
            #expect(newest["original_purchase_date"] == "2026-01-02 03:04:05 Etc/GMT")
            #expect(newest["expires_date"] == "2026-03-02 03:04:05 Etc/GMT")
            #expect(newest["expires_date_ms"] == "1772420645000")
            let renewals = try #require(object["pending_renewal_info"] as? [[String: String]])
            #expect(
                renewals == [
                    [
                        "product_id": "monthly", "auto_renew_product_id": "monthly", "auto_renew_status": "1",
                        "original_transaction_id": first.transaction,
                    ]
                ])
            let body = try #require(object["receipt"] as? [String: Any])
            #expect(body["request_date"] as? String == "2026-02-11 03:04:05 Etc/GMT")
            #expect((body["in_app"] as? [Any])?.count == 1)
            let latest = try #require(object["latest_receipt"] as? String)
            #expect(latest != first.receipt)
            let again = try await ask(client, latest, ",\"exclude-old-transactions\":true")
            #expect(again["latest_receipt"] as? String == latest)
            #expect((again["latest_receipt_info"] as? [Any])?.count == 1)
            #expect(((again["receipt"] as? [String: Any])?["in_app"] as? [Any])?.count == 2)
        }
    }

    @Test("A failed renewal's answer has the reason, the retry and the grace period", arguments: Engine.servers)
    func failed(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let phone = try await store.subscribe(graceDays: 3)
            let first = try await phone.subscribedReceipt()
            store.cardLimit.milliunits = 0
            try await store.advance(days: 32)

            let object = try await ask(client, first.receipt)
            let renewal = try #require((object["pending_renewal_info"] as? [[String: String]])?.first)
            #expect(
                Set(renewal.keys)
                    == Self.keys(
                        [
                            "product_id", "auto_renew_product_id", "auto_renew_status", "original_transaction_id",
                            "expiration_intent", "is_in_billing_retry_period",
                        ], ["grace_period_expires_date"]))
            #expect(renewal["auto_renew_status"] == "1" && renewal["expiration_intent"] == "2")
            #expect(renewal["is_in_billing_retry_period"] == "1")
            #expect(renewal["grace_period_expires_date"] == "2026-02-05 03:04:05 Etc/GMT")
            try await store.advance(days: 70)

            let over = try await ask(client, first.receipt)
            let ended = try #require((over["pending_renewal_info"] as? [[String: String]])?.first)
            #expect(ended["auto_renew_status"] == "0" && ended["expiration_intent"] == "2")
            #expect(ended["is_in_billing_retry_period"] == "0")
            #expect(ended["grace_period_expires_date"] == "2026-02-05 03:04:05 Etc/GMT")
        }
    }

    @Test("A code's answer has the name of its offer, first of the next period", arguments: Engine.servers)
    func code(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.sellWeekly(code: "WELCOME26")
            let (phone, account) = try await store.openAccount()
            try await phone.buy("weekly", request: "weekly", as: account)
            let first = try await phone.subscribedReceipt()
            let asked = try await phone.call(
                RedemptionCall(requestIdentifier: "code", bundleIdentifier: TestStore.bundleIdentifier))
            _ = try await store.service.redeem(
                "welcome26", onSheet: try phone.token(asked.sheet), as: account, shown: nil)
            func answer() async throws -> (newest: [String: String], renewal: [String: String]) {
                let object = try await ask(client, first.receipt)
                let info = try #require(object["latest_receipt_info"] as? [[String: String]])
                let renewals = try #require(object["pending_renewal_info"] as? [[String: String]])
                return (try #require(info.first), try #require(renewals.first))
            }

            let before = try await answer()
            #expect(before.renewal["offer_code_ref_name"] == "Welcome" && before.renewal["auto_renew_status"] == "1")
            #expect(before.newest["offer_code_ref_name"] == nil)

            try await store.advance(days: 8)
            let after = try await answer()
            #expect(after.newest["offer_code_ref_name"] == "Welcome")
            #expect(after.newest["is_trial_period"] == "false" && after.newest["is_in_intro_offer_period"] == "false")
            #expect(after.newest["promotional_offer_id"] == nil)
            #expect(after.renewal["offer_code_ref_name"] == nil)
        }
    }

    @Test(
        "A higher price's answer says whether the customer has agreed, and whether it will be paid",
        arguments: Engine.servers)
    func increased(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let phone = try await store.subscribe()
            let first = try await phone.subscribedReceipt()
            func renewal() async throws -> [String: String] {
                try #require(
                    (try await ask(client, first.receipt)["pending_renewal_info"] as? [[String: String]])?.first)
            }
            #expect(try await renewal()["price_increase_status"] == nil)
            try await store.raise(to: "5.99")
            let informed = try await renewal()
            #expect(informed["price_increase_status"] == "1" && informed["price_consent_status"] == nil)

            try await store.raise(to: "12.99")
            let asked = try await renewal()
            #expect(asked["price_increase_status"] == "0" && asked["price_consent_status"] == "0")
            let found = try await FindingSubscription(store.context)(TransactionIdentifier(first.transaction))
            try await AnsweringPriceIncrease(store.context).agree(found.original, account: found.account)
            let agreed = try await renewal()
            #expect(agreed["price_increase_status"] == "1" && agreed["price_consent_status"] == "1")
            #expect(agreed["auto_renew_status"] == "1" && agreed["expiration_intent"] == nil)

            try await AnsweringPriceIncrease(store.context).decline(found.original, account: found.account)
            try await store.advance(days: 40)
            let ended = try await renewal()
            #expect(ended["expiration_intent"] == "3" && ended["auto_renew_status"] == "0")
            #expect(ended["price_increase_status"] == nil && ended["price_consent_status"] == nil)
        }
    }

    @Test("A refunded period's answer has its cancellation", arguments: Engine.servers)
    func refunded(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let phone = try await store.subscribe()
            let first = try await phone.subscribedReceipt()
            _ = try await store.service.refund(TransactionIdentifier(first.transaction))

            let object = try await ask(client, first.receipt)
            let row = try #require((object["latest_receipt_info"] as? [[String: String]])?.first)
            #expect(row["cancellation_date"] == "2026-01-02 03:04:05 Etc/GMT")
            #expect(row["cancellation_reason"] == "0")
        }
    }

    @Test("A transaction has the same dates in every list of the answer, in whole seconds", arguments: Engine.servers)
    func wholeSeconds(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            store.clock.advance(by: .milliseconds(678))
            let phone = try await store.subscribe(graceDays: 3)
            let first = try await phone.subscribedReceipt()
            store.clock.advance(by: .milliseconds(99))
            store.cardLimit.milliunits = 0
            try await store.advance(days: 32)
            let failed = try await ask(client, first.receipt)
            let renewal = try #require((failed["pending_renewal_info"] as? [[String: String]])?.first)
            #expect(renewal["grace_period_expires_date_ms"]?.hasSuffix("000") == true)
            _ = try await store.service.refund(TransactionIdentifier(first.transaction))

            // The receipt that was sent doesn't have the refund yet.
            let object = try await ask(client, first.receipt)
            let row = try #require((object["latest_receipt_info"] as? [[String: String]])?.first)
            let body = try #require(object["receipt"] as? [String: Any])
            let listed = try #require((body["in_app"] as? [[String: String]])?.first)
            for name in Self.dates + ["cancellation_date"] {
                #expect(row["\(name)_ms"] == listed["\(name)_ms"], "\(name)")
                #expect(row["\(name)_ms"]?.hasSuffix("000") == true, "\(name)")
            }
            #expect(row["purchase_date_ms"] == "1767323045000")
        }
    }

    @Test("A transaction's receipt brings the newest period, and 21006 when it has ended", arguments: Engine.servers)
    func oldFormat(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let phone = try await store.subscribe()
            let first = try await phone.subscribedReceipt()
            let answer = try await phone.call(
                TransactionReceiptsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1.0",
                    transactions: [first.transaction]))
            let receipt = try #require(answer.receipts[first.transaction])
            try await store.advance(days: 40)

            let running = try await ask(client, receipt)
            #expect(running["status"] as? Int == 0)
            #expect(running["auto_renew_status"] as? Int == 1)
            #expect(running["auto_renew_product_id"] as? String == "monthly")
            let sent = try #require(running["receipt"] as? [String: String])
            #expect(sent["expires_date"] == "1770001445000")
            #expect(sent["web_order_line_item_id"] == first.transaction)
            let newest = try #require(running["latest_receipt_info"] as? [String: String])
            #expect(newest["expires_date_formatted"] == "2026-03-02 03:04:05 Etc/GMT")
            #expect(running["latest_receipt"] as? String != receipt)

            store.cardLimit.milliunits = 0
            try await store.advance(days: 100)
            let ended = try await ask(client, receipt)
            #expect(ended["status"] as? Int == 21006)
            #expect(ended["latest_receipt_info"] == nil)
            #expect((ended["latest_expired_receipt_info"] as? [String: String])?["product_id"] == "monthly")
            #expect(ended["expiration_intent"] as? String == "2")
            #expect(ended["auto_renew_status"] as? Int == 0)
        }
    }
}

extension TestStore {
    private static let email = "subscriber@example.com"

    /// Sells a monthly subscription, and opens an account that is signed in on
    /// a phone.
    fileprivate func subscribe(graceDays: Int = 0) async throws -> TestDevice {
        let bundle = BundleIdentifier(Self.bundleIdentifier)
        let file = Self.catalogue.replacing(
            "\"version\" :",
            with: """
                "subscriptionGroups" : [ { "id" : "BASKETS", "name" : "Baskets", "localizations" : [],
                  "subscriptions" : [ { "productID" : "monthly", "referenceName" : "Monthly", "displayPrice" : "4.99",
                    "internalID" : "m", "familyShareable" : false, "type" : "RecurringSubscription",
                    "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1, "subscriptionGroupID" : "BASKETS",
                    "localizations" : [] } ] } ],
                "version" :
                """)
        try await ImportingCatalogue(context)(
            StoreKitConfigurationFile(Data(file.utf8), file: "baskets.storekit", bundleIdentifier: bundle),
            into: App(bundleIdentifier: bundle, name: "Fruit"))
        try await SettingGracePeriod(context)(days: graceDays, of: bundle)
        let (phone, account) = try await openAccount()
        try await phone.buy("monthly", request: "monthly", as: account)
        return phone
    }

    /// A phone with an account whose clock can be moved.
    fileprivate func openAccount() async throws -> (phone: TestDevice, account: Account) {
        let phone = TestDevice(number: 1, store: self)
        let account = try await OpeningTestAccount(context)(
            email: Self.email, storefront: "USA", device: DeviceIdentifier(rawValue: phone.credentials.identifier),
            secret: phone.credentials.secret)
        return (phone, account)
    }

    /// Raises the price for all subscribers now.
    fileprivate func raise(to price: String) async throws {
        try await SchedulingPriceChange(context)(
            SchedulingPriceChange.Order(
                "monthly", of: BundleIdentifier(Self.bundleIdentifier), price: price, subscribers: .change))
        await service.applyPriceChanges()
    }

    /// Lets days of the subscriber's time pass.
    fileprivate func advance(days: Int) async throws {
        _ = try await service.move(clockOf: Self.email, .by(.seconds(days * 86400)))
    }
}

extension TestDevice {
    /// The app receipt, and its only transaction.
    fileprivate func subscribedReceipt() async throws -> (receipt: String, transaction: String) {
        let receipt = try #require(try await receiptAnswer().receipt)
        let queue = try await queue()
        return (receipt, try #require(queue.first?.transactionIdentifier))
    }
}

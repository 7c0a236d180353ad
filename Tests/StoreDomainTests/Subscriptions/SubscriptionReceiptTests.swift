// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDatabase
import StoreMeasurement
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// `/verifyReceipt` about an app receipt, from the books and at the account's
/// time.
@Suite(.timeLimit(.hang))
struct SubscriptionReceiptTests {
    @Test("A receipt has a period's end and number, and no period is left out", arguments: Engine.stores)
    func attributes(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            try await anna.phone.finish(first.transactionIdentifier)
            try await anna.advance(to: "2026-03-01 00:00:00")

            let contents = try anna.contents(of: try await anna.receipt())

            let periods = contents.inAppPurchases
            #expect(periods.count == 2)
            #expect(Set(periods.map(\.originalTransactionIdentifier)) == [first.transactionIdentifier])
            #expect(periods.map(\.productType) == [.autoRenewable, .autoRenewable])
            #expect(
                try periods.map(\.subscriptionExpirationDate) == [
                    Subscriber.moment("2026-02-10 20:00:00").date, Subscriber.moment("2026-03-10 19:00:00").date,
                ])
            #expect(
                periods.map { $0.webOrderLineItemIdentifier.map(String.init) } == periods.map(\.transactionIdentifier))
            #expect(periods.map(\.isTrialPeriod) == [false, false])
            #expect(periods.map(\.isInIntroductoryPricePeriod) == [false, false])
            #expect(try contents.creationDate == Subscriber.moment("2026-03-01 00:00:00").date)
        }
    }

    /// Published receipts of 2017 to 2024 keep this date over all of these.
    @Test("The original date stays over a renewal, an upgrade and a lapse", arguments: Engine.stores)
    func originalDate(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            try await anna.advance(to: "2026-02-15 00:00:00")
            try await anna.buy("large")
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-05-01 00:00:00")
            try await anna.buy("weekly")

            let listed = try anna.contents(of: await anna.receipt()).inAppPurchases
            #expect(listed.map(\.productIdentifier).sorted() == ["large", "small", "small", "weekly"])
            let begun = try Subscriber.moment("2026-01-10 20:00:00").date
            #expect(listed.map(\.originalPurchaseDate) == [begun, begun, begun, begun])
            #expect(Set(listed.map(\.originalTransactionIdentifier)) == [first.transactionIdentifier])
            #expect(try await anna.phone.queue().allSatisfy { $0.originalPurchaseDate == first.purchaseDate })
        }
    }

    @Test("An old receipt brings every later period, and a receipt of now for its device", arguments: Engine.stores)
    func renewed(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            let receipt = try await anna.receipt()
            try await anna.advance(.by(.seconds(3600)))
            try await anna.buy("apple")
            let juice = try await anna.buy("juice")
            try await anna.phone.finish(juice.transactionIdentifier)
            try await anna.advance(to: "2026-03-20 00:00:00")

            #expect(
                try await anna.history(of: receipt) == [
                    "small 2026-03-10 19:00:00", "small 2026-02-10 20:00:00",
                    "apple 2026-01-10 21:00:00", "small 2026-01-10 20:00:00",
                ])
            #expect(try await anna.renewals(of: receipt) == ["small renews"])
            let current = try await anna.verify(receipt)
            #expect(try current.now == Subscriber.moment("2026-03-20 00:00:00").date)
            #expect(current.listed.count == 1)
            let latest = try #require(current.latest)
            #expect(latest.transactions.map(\.group) == ["BASKETS", "BASKETS", nil, "BASKETS"])
            let sent = try anna.contents(of: receipt)
            let contents = try anna.contents(of: try #require(latest.receipt))
            #expect(contents.inAppPurchases.count == 4)
            #expect(contents.creationDate == current.now)
            #expect(contents.opaqueValue == sent.opaqueValue && contents.deviceHash == sent.deviceHash)
        }
    }

    @Test("A receipt to which nothing was added is its own latest receipt", arguments: Engine.stores)
    func unchanged(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            let receipt = try await anna.receipt()

            #expect(try await anna.verify(receipt).latest?.receipt == nil)
            try await anna.advance(to: "2026-02-11 00:00:00")
            #expect(try await anna.verify(receipt).latest?.receipt != nil)
        }
    }

    @Test("A receipt from before the first subscription has no history", arguments: Engine.stores)
    func withoutSubscription(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("apple")
            let receipt = try await anna.receipt()
            try await anna.buy("small")

            let current = try await anna.verify(receipt)
            #expect(current.latest == nil)
            #expect(try current.now == Subscriber.moment("2026-01-10 20:00:00").date)
        }
    }

    @Test(
        "A receipt has the customer's turned-off renewal immediately, and a reason after the end",
        arguments: Engine.stores)
    func turnedOff(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            let receipt = try await anna.receipt()
            try await anna.setRenewal(false)

            #expect(try await anna.renewals(of: receipt) == ["small ends"])
            try await anna.advance(to: "2026-02-11 00:00:00")
            #expect(try await anna.renewals(of: receipt) == ["small ends (1)"])

            try await anna.advance(to: "2026-05-01 00:00:00")
            try await anna.buy("small")
            #expect(try await anna.renewals(of: receipt) == ["small renews"])
            #expect(
                try await anna.history(of: receipt) == ["small 2026-05-01 00:00:00", "small 2026-01-10 20:00:00"])
        }
    }

    @Test("A failed charge is shown in the grace period, in the retry and after its end", arguments: Engine.stores)
    func failed(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            let receipt = try await anna.receipt()
            store.cardLimit.milliunits = 0

            try await anna.advance(to: "2026-02-10 00:00:00")
            #expect(try await anna.renewals(of: receipt) == ["small renews"])
            try await anna.advance(to: "2026-02-15 00:00:00")
            let retried = "small renews (2), retried, grace until 2026-02-26 20:00:00"
            #expect(try await anna.renewals(of: receipt) == [retried])
            try await anna.advance(to: "2026-03-01 00:00:00")
            #expect(try await anna.renewals(of: receipt) == [retried])
            try await anna.advance(to: "2026-06-01 00:00:00")
            #expect(try await anna.renewals(of: receipt) == ["small ends (2), grace until 2026-02-26 20:00:00"])
            #expect(try await anna.history(of: receipt) == ["small 2026-01-10 20:00:00"])
        }
    }

    @Test("Without a grace period a failed charge has no date, and a recovered one no trace", arguments: Engine.stores)
    func recovered(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            let receipt = try await anna.receipt()
            store.cardLimit.milliunits = 0
            try await anna.advance(to: "2026-02-15 00:00:00")
            #expect(try await anna.renewals(of: receipt) == ["small renews (2), retried"])

            store.cardLimit.milliunits = .max
            try await anna.advance(to: "2026-02-20 00:00:00")
            #expect(try await anna.renewals(of: receipt) == ["small renews"])
            #expect(
                try await anna.history(of: receipt) == ["small 2026-02-17 20:00:00", "small 2026-01-10 20:00:00"])
        }
    }

    @Test("A subscription that is turned off while a charge is retried loses its entry", arguments: Engine.stores)
    func turnedOffInRetry(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 3)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.buy("paper")
            let receipt = try await anna.receipt()
            try await anna.advance(to: "2026-01-20 00:00:00")
            store.cardLimit.milliunits = 3000
            try await anna.advance(to: "2026-02-11 00:00:00")
            let failed = try #require(
                try await anna.subscriptions().first { $0.state.period.product == "small" }?.subscription)

            try await SettingRenewal(store.context)(false, of: failed.original, account: anna.account.identifier)

            #expect(try await anna.renewals(of: receipt) == ["paper renews"])
            #expect(try await anna.history(of: receipt).count == 3)
            store.cardLimit.milliunits = .max
            try await anna.buy("small")
            #expect(try await anna.renewals(of: receipt) == ["small renews", "paper renews"])
        }
    }

    @Test("An upgraded period is marked, and a downgrade names the next product", arguments: Engine.stores)
    func changedPlan(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("small")
            let receipt = try await anna.receipt()
            try await anna.advance(.by(.seconds(10 * 86400)))
            try await anna.buy("large")

            #expect(
                try await anna.history(of: receipt) == [
                    "large 2026-04-20 19:00:00", "small 2026-04-10 19:00:00 upgraded",
                ])
            #expect(try await anna.renewals(of: receipt) == ["large renews"])
            try await anna.buy("small")
            #expect(try await anna.renewals(of: receipt) == ["large renews as small"])
            try await anna.setRenewal(false)
            #expect(try await anna.renewals(of: receipt) == ["large ends as small"])
        }
    }

    @Test("A refund marks its period, and that of the running one ends the renewal", arguments: Engine.stores)
    func refunded(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            let receipt = try await anna.receipt()
            try await anna.advance(to: "2026-02-15 00:00:00")

            _ = try await store.service.refund(TransactionIdentifier(first.transactionIdentifier))
            #expect(
                try await anna.history(of: receipt) == [
                    "small 2026-02-10 20:00:00", "small 2026-01-10 20:00:00 refunded",
                ])
            #expect(try await anna.renewals(of: receipt) == ["small renews"])
            let newest = try await anna.subscription().state.period.transaction
            _ = try await store.service.refund(newest)

            #expect(try await anna.history(of: receipt).allSatisfy { $0.hasSuffix("refunded") })
            #expect(try await anna.renewals(of: receipt) == ["small ends"])
            let current = try await anna.verify(receipt)
            #expect(
                try current.listed.map(\.purchase.cancellationDate) == [Subscriber.moment("2026-02-15 00:00:00").date])
        }
    }

    @Test("Without old transactions the history is the newest period of each subscription", arguments: Engine.stores)
    func newestPeriods(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            let receipt = try await anna.receipt()
            try await anna.advance(to: "2026-01-15 20:00:00")
            try await anna.buy("paper")
            try await anna.buy("apple")
            try await anna.advance(to: "2026-03-12 00:00:00")

            #expect(
                try await anna.history(of: receipt, .newestPeriods) == [
                    "small 2026-03-10 19:00:00", "paper 2026-02-15 20:00:00", "apple 2026-01-15 20:00:00",
                ])
            #expect(try await anna.renewals(of: receipt) == ["small renews", "paper renews"])
            // The receipt of now has all of them.
            let latest = try #require(try await anna.verify(receipt, .newestPeriods).latest?.receipt)
            #expect(try anna.contents(of: latest).inAppPurchases.count == 6)
        }
    }

    @Test("The look-up of a receipt costs the same after twelve renewals", arguments: Engine.stores)
    func cost(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let recorder = RecordingDatabase(database)
            let store = try await TestStore(recorder)
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            let receipt = try await anna.receipt()
            func cost() async throws -> RecordingDatabase.Count {
                let before = recorder.count
                _ = try await anna.verify(receipt)
                return recorder.count - before
            }
            let early = try await cost()
            try await anna.advance(to: "2027-01-11 00:00:00")

            #expect(try await anna.history(of: receipt).count == 13)
            #expect(try await cost() == early)
            #expect(early.transactions == 1)
        }
    }

    @Test("A closed account has no history", arguments: Engine.stores)
    func closed(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            let receipt = try await anna.receipt()
            try await ClosingAccount(store.context)(email: anna.account.email)

            let refusal = await #expect(throws: VerifyReceiptRefusal.self) { try await anna.verify(receipt) }
            #expect(refusal?.status == .accountGone)
        }
    }

    @Test("A history that is too long keeps the newest periods of subscriptions")
    func cut() {
        let listed = (0..<4).map { Self.purchase("juice", $0 == 3 ? 1 : 10 - $0) }
        let yearly = Self.purchase("yearly", 2)

        let history = ReceiptHistory(listed, newestPeriods: [yearly, listed[0]], renewals: [], longest: 3)

        #expect(history.isCut)
        #expect(history.transactions == listed.prefix(3) + [yearly])
        let whole = ReceiptHistory(listed, newestPeriods: [], renewals: [], longest: 4)
        #expect(!whole.isCut && whole.transactions == listed)
    }

    private static func purchase(_ product: ProductIdentifier, _ milliseconds: Int) -> Purchase {
        let date = StoreTime(milliseconds: Int64(milliseconds))
        let number = "\(product)-\(milliseconds)"
        return Purchase(
            transactionIdentifier: TransactionIdentifier(number),
            originalTransactionIdentifier: OriginalTransactionIdentifier(number), account: "a",
            bundleIdentifier: "app", productIdentifier: product, kind: .nonConsumable, quantity: 1,
            applicationUsername: nil, date: date, originalDate: date, price: Money(milliunits: 0, currency: "USD"),
            storefront: "USA", device: nil, requestIdentifier: nil, isInReceipt: true, revoked: nil)
    }
}

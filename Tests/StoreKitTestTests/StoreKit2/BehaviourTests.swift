// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// The behaviour of StoreKit 2 as it was measured on Apple's systems.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct BehaviourTests {
    private let session: SKTestSession

    init() throws {
        session = try Configuration().session()
    }

    private func status() async throws -> Product.SubscriptionInfo.Status {
        try #require(try await Product.SubscriptionInfo.status(for: "BASKETS").first)
    }

    @Test("A downgrade returns the held transaction, and only the renewal's product changes")
    func downgrade() async throws {
        let large = try await bought("large")
        await large.finish()
        let result = try await bought("small")
        #expect(result.id == large.id && result.productID == "large")
        #expect(await products(Transaction.all) == ["large"])
        let info = try await renewalInfo()
        #expect(info.currentProductID == "large" && info.autoRenewPreference == "small" && info.willAutoRenew)
        // The app finishes the transaction of the payment, also if it has finished it before.
        #expect(await products(Transaction.unfinished) == ["large"])
        await result.finish()
        #expect(await products(Transaction.unfinished) == [])

        try session.advance(by: .seconds(32 * 86_400))
        #expect(await products(Transaction.currentEntitlements) == ["small"])
    }

    @Test("An owned non-consumable is bought again for nothing, with the first purchase's identifier")
    func owned() async throws {
        let first = try await bought("apple")
        await first.finish()
        let second = try await bought("apple")
        #expect(second.originalID == first.id && second.price == 0)
        #expect(await products(Transaction.currentEntitlements) == ["apple"])
        #expect(session.allTransactions().map(\.productIdentifier) == ["apple", "apple"])
    }

    @Test("A subscription is an entitlement in its grace period, and not in billing retry")
    func grace() async throws {
        session.billingGracePeriodIsEnabled = true
        session.shouldEnterBillingRetryOnRenewal = true
        _ = try await bought("small")
        try session.advance(by: .seconds(33 * 86_400))
        #expect(try await status().state == .inGracePeriod)
        #expect(await products(Transaction.currentEntitlements) == ["small"])
        let info = try await renewalInfo()
        #expect(info.isInBillingRetry && info.gracePeriodExpirationDate.map { $0 > session.currentDate } == true)

        try session.advance(by: .seconds(20 * 86_400))
        #expect(try await status().state == .inBillingRetryPeriod)
        #expect(await products(Transaction.currentEntitlements) == [])

        try session.advance(by: .seconds(60 * 86_400))
        #expect(try await status().state == .expired)
        #expect(try await renewalInfo().expirationReason == .billingError)
    }

    @Test("At the end of a period the status is subscribed, before and after the renewal")
    func periodEnd() async throws {
        let small = try await bought("small")
        let end = try #require(small.expirationDate)
        try session.advance(to: end.addingTimeInterval(-1))
        #expect(try await status().state == .subscribed)
        try session.advance(to: end)
        #expect(try await status().state == .subscribed)
        #expect(try await status().transaction.payloadValue.purchaseDate == end)
        try session.disableAutoRenewForTransaction(identifier: UInt(small.id))
        let last = try #require(try await status().transaction.payloadValue.expirationDate)
        try session.advance(to: last)
        #expect(try await status().state == .expired)
        #expect(try await renewalInfo().expirationReason == .autoRenewDisabled)
    }

    @Test("An interrupted purchase charges nothing, and is an update when the customer has resolved it")
    func interrupted() async throws {
        session.interruptedPurchasesEnabled = true
        let apple = try #require(try await Product.products(for: ["apple"]).first)
        let error = await #expect(throws: StoreKitError.self) { try await apple.purchase() }
        guard case .systemError = error else {
            Issue.record("the error is \(String(describing: error))")
            return
        }
        #expect(await products(Transaction.all) == [])
        #expect(SKPaymentQueue.default().transactions.isEmpty)
        let waiting = try #require(session.allTransactions().first)
        #expect(waiting.hasPurchaseIssue)
        try session.resolveIssueForTransaction(identifier: waiting.identifier)
        let update = try #require(await firstVerified(Transaction.updates))
        #expect(UInt(update.id) == waiting.identifier && update.productID == "apple")
    }

    @Test("A restored purchase is an entitlement, and no transaction of StoreKit 2")
    func restored() async throws {
        let app = App()
        let apple = try await bought("apple")
        await apple.finish()
        SKPaymentQueue.default().restoreCompletedTransactions()
        await mainQueueUpdates()
        #expect(app.heard.contains("restored apple") && app.heard.contains("restore finished"))
        #expect(await products(Transaction.all) == ["apple"])
        #expect(await products(Transaction.unfinished) == [])
        let entitlement = await Transaction.latest(for: "apple")
        #expect(entitlement == .verified(apple))
        #expect(await products(Transaction.currentEntitlements) == ["apple"])
        try await AppStore.sync()
        #expect(await products(Transaction.all) == ["apple"])
        app.quit()
    }

    @Test("Renewals from while the app didn't listen arrive newest first, and all of them")
    func missedRenewals() async throws {
        let small = try await bought("small")
        await small.finish()
        try session.advance(by: .seconds(190 * 86_400))
        var listener = Transaction.updates.makeAsyncIterator()
        var dates: [Date] = []
        for _ in 0..<6 {
            let received = await listener.next()
            let update = try #require(received).payloadValue
            #expect(update.originalID == small.id && update.reason == .renewal)
            dates.append(update.purchaseDate)
        }
        #expect(dates == dates.sorted(by: >) && Set(dates).count == 6)
        #expect(await products(Transaction.all).count == 7)
    }

    @Test("A change of the renewal alone is an update of the status, from the making of the iterator on")
    func statusUpdates() async throws {
        let small = try await bought("small")
        var updates = Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
        for renews in [false, true, false, true] {
            try set(renews, small)
            let update = await updates.next()
            #expect(try update?.renewalInfo.payloadValue.willAutoRenew == renews)
        }
    }

    private func set(_ renews: Bool, _ transaction: Transaction) throws {
        if renews {
            try session.enableAutoRenewForTransaction(identifier: UInt(transaction.id))
        } else {
            try session.disableAutoRenewForTransaction(identifier: UInt(transaction.id))
        }
    }

    @Test("A listener that is slow receives every update, also beside one that isn't")
    func slowListener() async throws {
        var fast = Transaction.updates.makeAsyncIterator()
        var slow = Transaction.updates.makeAsyncIterator()
        _ = try await session.buyProduct(identifier: "juice")
        _ = await slow.next()
        _ = await fast.next()
        var received: [UInt64] = []
        for _ in 0..<120 {
            _ = try await session.buyProduct(identifier: "juice")
            let update = await fast.next()
            received.append(try #require(update).unsafePayloadValue.id)
        }
        var late: Set<UInt64> = []
        for _ in 0..<120 {
            let update = await slow.next()
            late.insert(try #require(update).unsafePayloadValue.id)
        }
        #expect(late == Set(received) && late.count == 120)
    }

    @Test("A wrong signature and a wrong price of an offer are the errors of Apple's devices")
    func errors() async throws {
        let apple = try #require(try await Product.products(for: ["apple"]).first)
        session.failTransactionsEnabled = true
        session.failureError = .invalidSignature
        let error = await #expect(throws: StoreKitError.self) { try await apple.purchase() }
        guard case .unknown = error else {
            Issue.record("the error is \(String(describing: error))")
            return
        }
        session.failureError = .invalidOfferPrice
        await #expect(throws: Product.PurchaseError.invalidOfferPrice) { try await apple.purchase() }
        session.failTransactionsEnabled = false
        session.storefront = "DEU"
        #expect(try await bought("apple").storefront.countryCode == "DEU")
    }
}

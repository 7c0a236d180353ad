// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// Each change of a session is visible to the calls of StoreKit 2 that begin
/// after it has returned.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct VisibilityTests {
    private let configuration: Configuration
    private let session: SKTestSession

    init() throws {
        configuration = try Configuration()
        session = try configuration.session()
    }

    @Test("A purchase of the session, its refund and its deletion")
    func purchases() async throws {
        for _ in 0..<20 {
            let juice = try await session.buyProduct(identifier: "juice")
            #expect(await Transaction.latest(for: "juice")?.unsafePayloadValue.id == juice.id)
        }
        #expect(await products(Transaction.all).count == 20)
        let apple = try await session.buyProduct(identifier: "apple")
        #expect(await products(Transaction.currentEntitlements) == ["apple"])
        try session.refundTransaction(identifier: UInt(apple.id))
        #expect(await products(Transaction.currentEntitlements) == [])
        #expect(await Transaction.latest(for: "apple")?.unsafePayloadValue.revocationDate != nil)

        try session.deleteTransaction(identifier: UInt(apple.id))
        #expect(await products(Transaction.all(for: "apple")) == [])
        #expect(await Transaction.latest(for: "apple") == nil)
        for transaction in session.allTransactions() {
            try session.deleteTransaction(identifier: transaction.identifier)
        }
        #expect(await products(Transaction.all) == [])
        #expect(await products(Transaction.unfinished) == [])
    }

    @Test("A deleted subscription has neither a transaction nor a status")
    func deletedSubscription() async throws {
        let small = try await bought("small")
        #expect(try await Product.SubscriptionInfo.status(for: "BASKETS").count == 1)
        try session.deleteTransaction(identifier: UInt(small.id))
        #expect(await products(Transaction.currentEntitlements) == [])
        #expect(try await Product.SubscriptionInfo.status(for: "BASKETS").isEmpty)
        _ = try await bought("small")
        #expect(await products(Transaction.currentEntitlements) == ["small"])
    }

    @Test("The renewal that is turned off and on, the end of a subscription and its renewal")
    func renewal() async throws {
        let small = try await bought("small")
        try session.disableAutoRenewForTransaction(identifier: UInt(small.id))
        let off = try await renewalInfo()
        #expect(!off.willAutoRenew && off.autoRenewPreference == nil)
        try session.enableAutoRenewForTransaction(identifier: UInt(small.id))
        #expect(try await renewalInfo().willAutoRenew)
        try session.forceRenewalOfSubscription(productIdentifier: "small")
        #expect(await products(Transaction.all(for: "small")).count == 2)
        try session.expireSubscription(productIdentifier: "small")
        #expect(try await Product.SubscriptionInfo.status(for: "BASKETS").map(\.state) == [.expired])
        #expect(try await renewalInfo().expirationReason == .autoRenewDisabled)
        #expect(await products(Transaction.currentEntitlements) == [])
    }

    @Test("The approval and the refusal of Ask to Buy")
    func askToBuy() async throws {
        session.askToBuyEnabled = true
        for approves in [true, false] {
            let product = try #require(try await Product.products(for: [approves ? "apple" : "juice"]).first)
            guard case .pending = try await product.purchase() else {
                Issue.record("the purchase isn't pending")
                return
            }
            let waiting = try #require(session.allTransactions().first { $0.pendingAskToBuyConfirmation })
            if approves {
                try session.approveAskToBuyTransaction(identifier: waiting.identifier)
            } else {
                try session.declineAskToBuyTransaction(identifier: waiting.identifier)
            }
            #expect(await products(Transaction.all) == ["apple"])
            #expect(SKPaymentQueue.default().transactions.count == 1)
        }
    }

    @Test("The storefront with its currency, and the language")
    func storefront() async throws {
        for (country, currency, price) in [("DEU", "EUR", "€"), ("JPN", "JPY", "¥"), ("USA", "USD", "$")] {
            session.storefront = country
            #expect(try await Product.products(for: ["apple"]).first?.displayPrice.contains(price) == true)
            let current = try #require(await Storefront.current)
            #expect(current.countryCode == country && current.currency?.identifier == currency)
            #expect(try await bought("juice").storefront.currency?.identifier == currency)
        }
        session.locale = Locale(identifier: "de_DE")
        #expect(try await Product.products(for: ["apple"]).first?.displayName == "Apfel")
    }

    @Test("The removal of all transactions")
    func clearing() async throws {
        _ = try await bought("apple")
        session.clearTransactions()
        #expect(await products(Transaction.all) == [])
        #expect(await Transaction.latest(for: "apple") == nil)
        #expect(try await Product.SubscriptionInfo.status(for: "BASKETS").isEmpty)
        _ = try await bought("apple")
        session.resetToDefaultState()
        #expect(await products(Transaction.currentEntitlements) == [])
    }

    @Test("All groups are listed with their subscriptions")
    func allStatuses() async throws {
        for await (groupID, _) in Product.SubscriptionInfo.Status.all { Issue.record("\(groupID) has no subscription") }
        let small = try await bought("small")
        var groups: [String] = []
        for await (groupID, statuses) in Product.SubscriptionInfo.Status.all {
            groups.append(groupID)
            #expect(statuses.map(\.state) == [.subscribed])
            #expect(try statuses.map { try $0.transaction.payloadValue } == [small])
        }
        #expect(groups == ["BASKETS"])
    }
}

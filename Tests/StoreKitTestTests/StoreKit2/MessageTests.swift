// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// The messages of the store for the customer.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct MessageTests {
    private let shop: OfferShop
    private var session: SKTestSession { shop.session }

    init() throws {
        shop = try OfferShop()
    }

    private func paidPeriod() async throws -> Transaction {
        let transaction = try await shop.buy()
        await transaction.finish()
        return transaction
    }

    @Test("A charge that fails is a message for every listener, once for each period")
    func billingIssue() async throws {
        session.shouldEnterBillingRetryOnRenewal = true
        _ = try await paidPeriod()
        var first = Message.messages.makeAsyncIterator()
        try session.advance(by: .seconds(8 * 86_400))
        let issue = await first.next()
        #expect(issue?.reason == .billingIssue)
        var second = Message.messages.makeAsyncIterator()
        let same = await second.next()
        let message = try #require(same)
        #expect(message.reason == .billingIssue)
        try await message.display()

        // The next message is of another reason: the charge is paid, and the price rises.
        let newest = try #require(session.allTransactions().last)
        try session.resolveIssueForTransaction(identifier: newest.identifier)
        session.shouldEnterBillingRetryOnRenewal = false
        let paid = try #require(session.allTransactions().last)
        try session.requestPriceIncreaseConsentForTransaction(identifier: paid.identifier)
        let increase = await first.next()
        #expect(increase?.reason == .priceIncreaseConsent)
    }

    @Test("A higher price is a message, whose sheet the app shows")
    func priceIncrease() async throws {
        var messages = Message.messages.makeAsyncIterator()
        let transaction = try await paidPeriod()
        session.disableDialogs = false
        try session.requestPriceIncreaseConsentForTransaction(identifier: UInt(transaction.id))
        let received = await messages.next()
        let message = try #require(received)
        #expect(message.reason == .priceIncreaseConsent)
        #expect(try await renewalInfo().priceIncreaseStatus == .pending)
        // StoreKit has shown no sheet itself.
        try session.confirmDialogs()
        #expect(try await renewalInfo().priceIncreaseStatus == .pending)

        try await message.display()
        try session.confirmDialogs()
        #expect(try await renewalInfo().priceIncreaseStatus == .agreed)
    }

    @Test("Without a listener of messages StoreKit shows the sheet of a higher price")
    func withoutListener() async throws {
        var updates = Transaction.updates.makeAsyncIterator()
        _ = try await session.buyProduct(identifier: "small")
        let received = await updates.next()
        let update = try #require(received).payloadValue
        session.disableDialogs = false
        try session.requestPriceIncreaseConsentForTransaction(identifier: UInt(update.id))
        try session.confirmDialogs()
        #expect(try await renewalInfo().priceIncreaseStatus == .agreed)
    }

    @Test("A win-back offer is a message, with which the customer comes back")
    func winBack() async throws {
        try await shop.lapse()
        var messages = Message.messages.makeAsyncIterator()
        let received = await messages.next()
        let message = try #require(received)
        #expect(message.reason == .winBackOffer && message.reason.localizedDescription == "Win-back Offer")
        try await message.display()
        let update = try #require(await firstVerified(Transaction.updates))
        #expect(update.offer?.type == .winBack)
        await update.finish()
        #expect(await products(Transaction.currentEntitlements) == ["small"])
    }

    @Test("A cancelled sheet of a win-back offer leaves no payment in the queue")
    func cancelledOffer() async throws {
        try await shop.lapse()
        var messages = Message.messages.makeAsyncIterator()
        let received = await messages.next()
        session.disableDialogs = false
        try await #require(received).display()
        #expect(SKPaymentQueue.default().transactions.map(\.transactionState) == [.purchasing])
        try session.cancelDialogs()
        #expect(SKPaymentQueue.default().transactions.isEmpty)
    }

    @Test("A cancelled listener ends")
    func cancelled() async {
        let listener = Task { await nextMessage() }
        listener.cancel()
        let message = await listener.value
        #expect(message == nil)
    }
}

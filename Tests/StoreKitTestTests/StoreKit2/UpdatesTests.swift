// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// The updates of transactions and subscriptions, and the payment queue of
/// StoreKit 1 beside them.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct UpdatesTests {
    private let configuration: Configuration
    private let session: SKTestSession

    init() throws {
        configuration = try Configuration()
        session = try configuration.session()
    }

    @Test("A purchase outside of the app is an update for every listener, also for one that comes later")
    func everyListener() async throws {
        let bought = try await session.buyProduct(identifier: "apple", options: [.appAccountToken(UUID())])
        #expect(bought.productID == "apple" && bought.appAccountToken != nil)
        var early = Transaction.updates.makeAsyncIterator()
        let firstResult = await early.next()
        let first = try #require(firstResult).payloadValue
        var late = Transaction.updates.makeAsyncIterator()
        let secondResult = await late.next()
        let second = try #require(secondResult).payloadValue
        #expect(first == second && first.productID == "apple")
    }

    @Test("A purchase of StoreKit 2 is in the payment queue, and its finish removes it there")
    func bothQueues() async throws {
        let app = App()
        app.finishes = false
        let transaction = try await bought("apple")
        await mainQueueUpdates()
        #expect(app.heard == ["purchasing apple", "purchased apple"])
        #expect(SKPaymentQueue.default().transactions.map(\.transactionIdentifier) == ["\(transaction.id)"])

        await transaction.finish()
        await mainQueueUpdates()
        #expect(app.heard == ["purchasing apple", "purchased apple", "removed apple"])
        #expect(SKPaymentQueue.default().transactions.isEmpty)
        app.quit()
    }

    @Test("A purchase of StoreKit 1 is an update, and its finish ends it for StoreKit 2")
    func firstQueue() async throws {
        let app = App()
        app.finishes = false
        await app.buy("juice")
        let update = try #require(await firstVerified(Transaction.updates))
        #expect(update.productID == "juice")
        let shown = try #require(SKPaymentQueue.default().transactions.first)
        #expect(shown.transactionIdentifier == "\(update.id)")

        SKPaymentQueue.default().finishTransaction(shown)
        #expect(await products(Transaction.unfinished) == [])
        #expect(await products(Transaction.all) == [])
        app.quit()
    }

    @Test("A refund ends the entitlement, and is an update")
    func refund() async throws {
        let transaction = try await bought("apple")
        await transaction.finish()
        #expect(await products(Transaction.currentEntitlements) == ["apple"])

        try session.refundTransaction(identifier: UInt(transaction.id))
        #expect(await products(Transaction.currentEntitlements) == [])
        let update = try #require(await firstVerified(Transaction.updates))
        #expect(update.id == transaction.id && update.revocationDate != nil)
        #expect(await products(Transaction.all) == ["apple"])
    }

    @Test("Renewals are updates, newest first after a pause, and the newest period is the entitlement")
    func renewals() async throws {
        let small = try #require(try await Product.products(for: ["small"]).first)
        let first = try await bought("small")
        await first.finish()
        try session.advance(by: .seconds(70 * 86_400))

        var listener = Transaction.updates.makeAsyncIterator()
        let newestResult = await listener.next()
        let newest = try #require(newestResult).payloadValue
        let olderResult = await listener.next()
        let older = try #require(olderResult).payloadValue
        #expect(newest.purchaseDate > older.purchaseDate && newest.reason == .renewal)
        #expect(Set([newest.originalID, older.originalID]) == [first.id])
        #expect(await products(Transaction.currentEntitlements) == ["small"])
        let status = try #require(try await small.subscription?.status.first)
        #expect(status.state == .subscribed)
        #expect(try status.transaction.payloadValue == newest)
        #expect(try status.renewalInfo.payloadValue.willAutoRenew)
        #expect(try status.renewalInfo.payloadValue.autoRenewPreference == "small")
        #expect(await newest.subscriptionStatus?.state == .subscribed)

        try session.expireSubscription(productIdentifier: "small")
        #expect(await products(Transaction.currentEntitlements) == [])
        #expect(try await small.subscription?.status.first?.state == .expired)
    }

    @Test("The app transaction names the app, its version and this device")
    func appTransaction() async throws {
        let app = try (await AppTransaction.shared).payloadValue
        #expect(app.environment == .sandbox && !app.bundleID.isEmpty)
        #expect(app.originalAppVersion == "1.0" && app.appID == nil)
        let again = try (await AppTransaction.refresh()).payloadValue
        #expect(again.bundleID == app.bundleID && again.deviceVerificationNonce != app.deviceVerificationNonce)
    }

    @Test("The storefront is that of the session")
    func storefront() async throws {
        _ = try await Product.products(for: ["apple"])
        #expect(await Storefront.current?.countryCode == "USA")
        session.storefront = "DEU"
        #expect(await Storefront.current?.countryCode == "DEU")
    }

    @Test("A listener goes on with the session that follows")
    func sessions() async throws {
        try session.buyProduct(productIdentifier: "apple")
        var listener = Transaction.updates.makeAsyncIterator()
        let apple = await listener.next()
        #expect(apple?.unsafePayloadValue.productID == "apple")
        let second = try configuration.session()
        try second.buyProduct(productIdentifier: "juice")
        let juice = await listener.next()
        #expect(juice?.unsafePayloadValue.productID == "juice")
    }
}

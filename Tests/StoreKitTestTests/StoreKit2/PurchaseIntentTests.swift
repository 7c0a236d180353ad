// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// Purchases that the customer begins outside of an app of StoreKit 2.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct PurchaseIntentTests {
    private let shop: OfferShop

    init() throws {
        shop = try OfferShop()
    }

    /// Opens the app with a purchase of `small`.
    private func begin(_ rest: String = "") async throws {
        let address = try #require(URL(string: try purchaseAddress("small").absoluteString + rest))
        #expect(openStorePayment(address))
        await mainQueueUpdates()
    }

    @Test("A purchase from before the first listener waits for it, and each listener receives the next one")
    func waiting() async throws {
        try await begin()
        var first = PurchaseIntent.intents.makeAsyncIterator()
        let received = await first.next()
        let intent = try #require(received)
        #expect(intent.product.id == "small" && intent.id == "small" && intent.offer == nil)

        let other = Task { await nextIntent()?.id }
        let both = try await answer(other) { try await begin() }.get()
        let again = await first.next()?.id
        #expect(both == "small" && again == "small")
        guard case .success = try await intent.product.purchase() else {
            Issue.record("the purchase isn't a success")
            return
        }
    }

    @Test("An app that listens for intents has its observers not asked")
    func observers() async throws {
        try await begin()
        var intents = PurchaseIntent.intents.makeAsyncIterator()
        _ = await intents.next()
        let observer = Shop(answer: true)
        SKPaymentQueue.default().add(observer)
        try await begin()
        let intent = await intents.next()
        #expect(intent?.id == "small")
        #expect(observer.asked == [] && shop.session.allTransactions().isEmpty)
        SKPaymentQueue.default().remove(observer)
    }

    @Test("A win-back offer of the address is the intent's offer")
    func winBack() async throws {
        try await shop.lapse()
        try await begin("&offerIdentifier=return")
        var intents = PurchaseIntent.intents.makeAsyncIterator()
        let received = await intents.next()
        let intent = try #require(received)
        let offer = try #require(intent.offer)
        #expect(offer.id == "return" && offer.type == .winBack)
        guard case .success(let result) = try await intent.product.purchase(options: [.winBackOffer(offer)]) else {
            Issue.record("the purchase isn't a success")
            return
        }
        #expect(try result.payloadValue.offer?.type == .winBack)
    }

    @Test("A purchase that waits for a slow listener isn't passed to it in a later session")
    func sessions() async throws {
        try await begin()
        var intents = PurchaseIntent.intents.makeAsyncIterator()
        _ = await intents.next()
        try await begin()
        let later = try OfferShop()
        try await begin("&offerIdentifier=return")
        let intent = await intents.next()
        #expect(intent?.offer?.id == "return")
        withExtendedLifetime(later) {}
    }

    @Test("A slow listener keeps the newest purchases only")
    func slow() async throws {
        try await begin()
        var intents = PurchaseIntent.intents.makeAsyncIterator()
        _ = await intents.next()
        for _ in 0..<30 { try await begin() }
        try await begin("&offerIdentifier=return")
        var offers: [String?] = []
        for _ in 0..<20 {
            let intent = await intents.next()
            offers.append(intent?.offer?.id)
        }
        #expect(offers == Array(repeating: nil, count: 19) + ["return"])
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// Price increases of subscriptions in a session, and the sheet of codes.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct PriceIncreaseTests {
    private let session: SKTestSession
    private let app: App
    private let queue = SKPaymentQueue.default()

    init() throws {
        session = try Configuration().session()
        app = App()
    }

    private func first() throws -> SKTestTransaction { try #require(session.allTransactions().first) }

    /// Buys a subscription, and asks for consent to its price.
    private func request() async throws -> UInt {
        await app.buy("small")
        let identifier = try first().identifier
        try session.requestPriceIncreaseConsentForTransaction(identifier: identifier)
        await mainQueueUpdates()
        return identifier
    }

    private func advance(days: Int) throws { try session.advance(by: .seconds(days * 86_400)) }

    @Test("A subscription goes on when the customer agrees to the price")
    func agreed() async throws {
        let identifier = try await request()
        #expect(try first().isPendingPriceIncreaseConsent)
        try session.consentToPriceIncreaseForTransaction(identifier: identifier)
        #expect(try !first().isPendingPriceIncreaseConsent)
        try advance(days: 40)
        #expect(session.allTransactions().count == 2)
        app.quit()
    }

    @Test("A subscription ends with its period when the customer declines the price, or doesn't answer")
    func declined() async throws {
        let identifier = try await request()
        try session.declinePriceIncreaseForTransaction(identifier: identifier)
        #expect(try !first().isPendingPriceIncreaseConsent)
        #expect(try !first().autoRenewingEnabled)
        try advance(days: 40)
        #expect(session.allTransactions().count == 1)

        session.clearTransactions()
        _ = try await request()
        try advance(days: 40)
        #expect(session.allTransactions().count == 1)
        app.quit()
    }

    @Test("A request is refused without its subscription, and an answer without a request")
    func refused() async throws {
        #expect(code { try session.requestPriceIncreaseConsentForTransaction(identifier: 7) } == .noTransactionFound)
        await app.buy("apple")
        let apple = try first().identifier
        #expect(
            code { try session.requestPriceIncreaseConsentForTransaction(identifier: apple) } == .invalidProductType)
        await app.buy("small")
        let small = try #require(session.allTransactions().last).identifier
        #expect(code { try session.consentToPriceIncreaseForTransaction(identifier: small) } == .invalidAction)
        #expect(code { try session.declinePriceIncreaseForTransaction(identifier: small) } == .invalidAction)
        try session.expireSubscription(productIdentifier: "small")
        #expect(
            code { try session.requestPriceIncreaseConsentForTransaction(identifier: small) } == .noSubscriptionFound)
        app.quit()
    }

    @Test("The delegate is asked once, and the sheet is shown if it agrees")
    func delegateAgrees() async throws {
        let delegate = ConsentDelegate(answer: true)
        queue.delegate = delegate
        await app.buy("small")
        session.disableDialogs = false
        try session.requestPriceIncreaseConsentForTransaction(identifier: first().identifier)
        await mainQueueUpdates()
        #expect(delegate.asked == 1)
        #expect(try first().isPendingPriceIncreaseConsent)

        try session.confirmDialogs()
        await mainQueueUpdates()
        #expect(try !first().isPendingPriceIncreaseConsent)
        #expect(delegate.asked == 1)
        queue.delegate = nil
        app.quit()
    }

    @Test("Without a delegate the sheet is shown")
    func noDelegate() async throws {
        await app.buy("small")
        session.disableDialogs = false
        try session.requestPriceIncreaseConsentForTransaction(identifier: first().identifier)
        await mainQueueUpdates()
        try session.confirmDialogs()
        #expect(try !first().isPendingPriceIncreaseConsent)
        app.quit()
    }

    @Test("After a delegate's refusal the sheet is shown when the app asks for it")
    func later() async throws {
        let delegate = ConsentDelegate(answer: false)
        queue.delegate = delegate
        await app.buy("small")
        session.disableDialogs = false
        // Nothing waits yet.
        queue.showPriceConsentIfNeeded()
        try session.confirmDialogs()
        try session.requestPriceIncreaseConsentForTransaction(identifier: first().identifier)
        await mainQueueUpdates()
        try session.confirmDialogs()
        #expect(try first().isPendingPriceIncreaseConsent)

        queue.showPriceConsentIfNeeded()
        queue.showPriceConsentIfNeeded()
        try session.cancelDialogs()
        #expect(try first().isPendingPriceIncreaseConsent)
        queue.showPriceConsentIfNeeded()
        try session.confirmDialogs()
        #expect(try !first().isPendingPriceIncreaseConsent)
        #expect(delegate.asked == 1)
        queue.delegate = nil
        app.quit()
    }

    @Test("A session's sheet of codes ends without a purchase, whether it is shown or not")
    func codes() async throws {
        for disablesDialogs in [true, false] {
            session.disableDialogs = disablesDialogs
            queue.presentCodeRedemptionSheet()
            queue.presentCodeRedemptionSheet()
            try session.cancelDialogs()
            await mainQueueUpdates()
        }
        #expect(app.heard.isEmpty && queue.transactions.isEmpty)
        app.quit()
    }
}

/// A delegate that answers when the store wants to ask for consent.
@MainActor
private final class ConsentDelegate: NSObject, @preconcurrency SKPaymentQueueDelegate {
    private(set) var asked = 0
    private let answer: Bool

    init(answer: Bool) {
        self.answer = answer
    }

    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        asked += 1
        return answer
    }
}

/// The code of the error that a call throws; `nil` without one.
private func code(_ call: () throws -> Void) -> SKTestError.Code? {
    do {
        try call()
        return nil
    } catch {
        return (error as? SKTestError)?.code
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

@testable import BuyFruit

/// "Suggested Testing Steps" of Apple's chapter "Delivering Products", for
/// BuyFruit and in the chapter's order. Apple's steps use breakpoints, a test
/// account and a device; here each step is a test.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct SuggestedTestingSteps {
    private let session: SKTestSession
    private let apple = "de.tum.in.www1.sgdws13.BuyFruit.Apple"

    init() throws {
        let copy = TestPreferences.folder.appendingPathComponent("BuyFruit.purchases.plist")
        let defaults = UserDefaults.standard
        for identifier in ProductList.bundled.identifiers { defaults.removeObject(forKey: identifier) }
        try? FileManager.default.removeItem(at: copy)
        session = try SKTestSession(contentsOf: Self.configuration)
        session.disableDialogs = true
    }

    // "Test a Payment Request."

    @Test("A payment made from a product reaches the observer")
    func aPaymentMadeOfAProductReachesTheObserver() async throws {
        let app = try await launch()
        let product = try #require(app.products.first { $0.productIdentifier == apple })

        let payment = SKPayment(product: product)
        #expect(payment.productIdentifier == apple)
        #expect(payment.quantity == 1)
        app.helper.buyProduct(product)
        await mainQueueUpdates()

        #expect(app.spy.states == [.purchasing, .purchased])
        quit(app)
    }

    // "Verify Your Observer Code."

    @Test("The observer is there from launch on, and handles a purchase made outside the app")
    func theObserverIsThereFromLaunchOnAndHandlesWhatItDidNotAskFor() async throws {
        let app = try await launch()
        #expect(SKPaymentQueue.default().transactionObservers.contains { $0 === app.helper })

        // The purchase is made outside of the app, without its pages.
        try session.buyProduct(productIdentifier: apple)

        #expect(app.helper.purchases.isPurchased(apple))
        quit(app)
    }

    // "Test a Successful Transaction."

    @Test("A successful purchase is recorded in the user defaults")
    func aPurchaseIsPurchasedAndRecordedInUserDefaults() async throws {
        let app = try await launch()
        app.helper.buyProduct(try #require(app.products.first { $0.productIdentifier == apple }))
        await mainQueueUpdates()

        #expect(app.spy.states.last == .purchased)
        #expect(UserDefaults.standard.bool(forKey: apple))
        #expect(app.alerts.map(\.title) == ["Bought successfully!"])
        quit(app)
    }

    // "Test an Interrupted Transaction."

    @Test("A purchase that the app didn't deliver comes again at the next launch")
    func aPurchaseThatTheAppDidNotDeliverComesAgainAtTheNextLaunch() async throws {
        // No observer finishes the purchase, as if the app had ended when it received it.
        let spy = Spy()
        SKPaymentQueue.default().add(spy)
        SKPaymentQueue.default().add(SKPayment(productIdentifier: apple))
        await mainQueueUpdates()
        #expect(spy.states.last == .purchased)
        SKPaymentQueue.default().remove(spy)
        #expect(!UserDefaults.standard.bool(forKey: apple))

        let app = try await launch()

        #expect(app.helper.purchases.isPurchased(apple))
        #expect(UserDefaults.standard.bool(forKey: apple))
        #expect(SKPaymentQueue.default().transactions.isEmpty)
        quit(app)
    }

    /// The store interrupts a purchase: the customer has to complete an
    /// action first.
    @Test("An interrupted purchase fails, and is delivered when its issue is resolved")
    func anInterruptedPurchaseFailsAndComesWhenItIsResolved() async throws {
        session.interruptedPurchasesEnabled = true
        let app = try await launch()
        app.helper.buyProduct(try #require(app.products.first { $0.productIdentifier == apple }))
        await mainQueueUpdates()
        #expect(app.spy.states.last == .failed)
        #expect(!app.helper.purchases.isPurchased(apple))

        let waiting = try #require(session.allTransactions().first)
        #expect(waiting.hasPurchaseIssue)
        try session.resolveIssueForTransaction(identifier: waiting.identifier)

        #expect(app.spy.states.last == .purchased)
        #expect(app.helper.purchases.isPurchased(apple))
        quit(app)
    }

    // "Verify That Transactions Are Finished."

    @Test("The app finishes purchased, failed and restored transactions")
    func everyTransactionIsFinishedWhateverBecameOfIt() async throws {
        let app = try await launch()
        for product in app.products { app.helper.buyProduct(product) }
        await mainQueueUpdates()
        session.failTransactionsEnabled = true
        app.helper.buyProduct(try #require(app.products.first))
        await mainQueueUpdates()
        session.failTransactionsEnabled = false
        app.helper.restoreCompletedTransactions()
        await mainQueueUpdates()

        #expect(Set(app.spy.states) == [.purchasing, .purchased, .failed, .restored])
        #expect(SKPaymentQueue.default().transactions.isEmpty)
        quit(app)
    }
}

extension SuggestedTestingSteps {
    /// The parts of the app that handle purchases.
    private struct App {
        let helper: IAPHelper
        let spy: Spy
        let products: [SKProduct]
        let notes: Notes

        var alerts: [Alert] { notes.alerts }
    }

    private final class Notes {
        var alerts: [Alert] = []
    }

    /// Records the states of updated transactions. The app's observer handles
    /// them.
    private final class Spy: NSObject, SKPaymentTransactionObserver {
        var states: [SKPaymentTransactionState] = []

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            states += transactions.map(\.transactionState)
        }
    }

    private func launch() async throws -> App {
        let spy = Spy()
        SKPaymentQueue.default().add(spy)
        let list = ProductList.bundled
        let helper = IAPHelper(
            productIdentifiers: Set(list.identifiers), consumableIdentifiers: Set(list.consumables),
            subscriptionIdentifiers: Set(list.subscriptions))
        let notes = Notes()
        helper.presentAlert = { notes.alerts.append($0) }
        var products: [SKProduct] = []
        helper.requestProducts { _, received in products = received }
        await mainQueueUpdates()
        return App(helper: helper, spy: spy, products: products, notes: notes)
    }

    private func quit(_ app: App) {
        SKPaymentQueue.default().remove(app.helper)
        SKPaymentQueue.default().remove(app.spy)
    }

    private static let configuration = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Examples/BuyFruit/BuyFruit.storekit")
}

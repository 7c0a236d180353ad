// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// The calls of a queue's observers and delegate that aren't about
/// transactions, with a real store.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct QueueDelegateTests {
    private let configuration: Configuration
    private let session: SKTestSession
    private let app: App
    private let queue = SKPaymentQueue.default()

    init() throws {
        configuration = try Configuration()
        session = try configuration.session()
        app = App()
    }

    @Test("A new storefront calls the observers once and posts both notifications")
    func anAccountThatMovesTellsObserversAndPostsNotifications() async throws {
        await app.buy("juice")
        #expect(queue.storefront?.countryCode == "USA")
        let posted = Posted()
        session.storefront = "DEU"
        await mainQueueUpdates()

        #expect(app.heard.suffix(1) == ["storefront DEU"])
        #expect(queue.storefront?.countryCode == "DEU")
        #expect(posted.names == [.SKStorefrontCountryCodeDidChange, .SKStorefrontIdentifierDidChange])
        session.storefront = "DEU"
        await mainQueueUpdates()
        #expect(app.heard.filter { $0.hasPrefix("storefront") }.count == 1)
        app.quit()
    }

    @Test("The queue's delegate decides which payments go on in another storefront")
    func theDelegateDecidesWhichPaymentsGoOnInAnotherStorefront() async throws {
        session.disableDialogs = false
        let delegate = Delegate(refuses: "juice")
        queue.delegate = delegate
        await app.buy("apple")
        await app.buy("juice")
        session.storefront = "DEU"
        await mainQueueUpdates()

        #expect(delegate.asked.sorted() == ["apple in DEU", "juice in DEU"])
        #expect(app.errors == [.storeProductNotAvailable])
        #expect(queue.transactions.map(\.payment.productIdentifier) == ["apple"])
        try session.confirmDialogs()
        await mainQueueUpdates()
        #expect(session.allTransactions().map(\.productIdentifier) == ["apple"])
        queue.delegate = nil
        app.quit()
    }

    @Test("A payment goes on in another storefront if the queue has no delegate")
    func withoutADelegateEveryPaymentGoesOn() async throws {
        session.disableDialogs = false
        await app.buy("apple")
        session.storefront = "DEU"
        try session.confirmDialogs()
        await mainQueueUpdates()

        #expect(app.heard.contains("purchased apple"))
        app.quit()
    }

    @Test("A purchase from outside the app goes on when an observer agrees")
    func aPurchaseFromOutsideTheAppGoesOnWhenAnObserverSaysSo() async throws {
        let shop = Shop(answer: true)
        queue.add(shop)
        #expect(openStorePayment(try purchaseAddress("apple")))
        // The observer is asked first. The updates of the payment follow in
        // another turn of the main queue.
        await mainQueueUpdates()
        await mainQueueUpdates()

        #expect(shop.asked == ["apple"])
        #expect(app.heard == ["purchasing apple", "purchased apple", "removed apple"])
        queue.remove(shop)
        app.quit()
    }

    @Test("A purchase from outside the app waits until the app adds its payment")
    func aPurchaseFromOutsideTheAppWaitsUntilTheAppAddsIt() async throws {
        let shop = Shop(answer: false)
        queue.add(shop)
        #expect(openStorePayment(try purchaseAddress("juice")))
        await mainQueueUpdates()
        #expect(shop.asked == ["juice"] && app.heard.isEmpty)

        queue.add(try #require(shop.kept.first))
        await mainQueueUpdates()
        #expect(app.heard == ["purchasing juice", "purchased juice", "removed juice"])
        queue.remove(shop)
        app.quit()
    }

    @Test("A product that the store doesn't sell isn't offered to the observers")
    func whatTheStoreDoesNotSellIsOfferedToNobody() async throws {
        let shop = Shop(answer: true)
        queue.add(shop)
        #expect(openStorePayment(try purchaseAddress("pear")))
        await mainQueueUpdates()

        #expect(shop.asked.isEmpty && app.heard.isEmpty)
        queue.remove(shop)
        app.quit()
    }

}

/// A delegate that lets all payments continue but those for one product.
@MainActor
private final class Delegate: NSObject, @preconcurrency SKPaymentQueueDelegate {
    private(set) var asked: [String] = []
    private let refused: String

    init(refuses product: String) {
        refused = product
    }

    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        asked.append("\(transaction.payment.productIdentifier) in \(newStorefront.countryCode)")
        return transaction.payment.productIdentifier != refused
    }
}

/// The notifications about storefronts, in their order.
@MainActor
private final class Posted {
    private final class Names: @unchecked Sendable {
        // @unchecked because the notifications are posted on the main queue only.
        var names: [Notification.Name] = []
    }

    private let posted = Names()
    private let tokens: [any NSObjectProtocol]
    var names: [Notification.Name] { posted.names }

    init() {
        tokens = [Notification.Name.SKStorefrontCountryCodeDidChange, .SKStorefrontIdentifierDidChange].map {
            [posted] name in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                posted.names.append(name)
            }
        }
    }

    isolated deinit {
        tokens.forEach(NotificationCenter.default.removeObserver)
    }
}

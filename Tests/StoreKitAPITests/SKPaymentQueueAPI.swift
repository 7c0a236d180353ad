// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkSKPaymentQueueAPI(
    _ payment: SKPayment, _ observer: any SKPaymentTransactionObserver, _ transaction: SKPaymentTransaction,
    _ delegate: any SKPaymentQueueDelegate, _ downloads: [SKDownload]
) {
    let queue: SKPaymentQueue = SKPaymentQueue.default()
    let _: any Sendable = queue
    let _: SKPaymentQueue = SKPaymentQueue()
    let _: Bool = SKPaymentQueue.canMakePayments()
    let _: (any SKPaymentQueueDelegate)? = queue.delegate
    queue.delegate = delegate
    let _: SKStorefront? = queue.storefront
    let _: () = queue.add(payment)
    let _: () = queue.add(observer)
    let _: () = queue.remove(observer)
    let _: [any SKPaymentTransactionObserver] = queue.transactionObservers
    let _: [SKPaymentTransaction] = queue.transactions
    let _: () = queue.finishTransaction(transaction)
    let _: () = queue.restoreCompletedTransactions()
    let _: () = queue.restoreCompletedTransactions(withApplicationUsername: nil as String?)
    let _: () = queue.start(downloads)
    let _: () = queue.pause(downloads)
    let _: () = queue.resume(downloads)
    let _: () = queue.cancel(downloads)
    let _: () = queue.showPriceConsentIfNeeded()
    let _: () = queue.presentCodeRedemptionSheet()
}

func checkSKPaymentQueueDelegateAPI(
    _ delegate: any SKPaymentQueueDelegate, _ queue: SKPaymentQueue, _ transaction: SKPaymentTransaction,
    _ storefront: SKStorefront
) {
    let _: any NSObjectProtocol = delegate
    let _: Bool = delegate.paymentQueue(queue, shouldContinue: transaction, in: storefront)
    let _: Bool = delegate.paymentQueueShouldShowPriceConsent(queue)
    let _: Bool? = delegate.paymentQueue?(queue, shouldContinue: transaction, in: storefront)
    let _: Bool? = delegate.paymentQueueShouldShowPriceConsent?(queue)
}

func checkSKStorefrontAPI(_ storefront: SKStorefront) {
    let _: any Sendable = storefront
    let _: SKStorefront = SKStorefront()
    let _: String = storefront.countryCode
    let _: String = storefront.identifier
    let _: NSNotification.Name = .SKStorefrontCountryCodeDidChange
    let _: NSNotification.Name = .SKStorefrontIdentifierDidChange
}

/// Every method of the delegate is optional.
final class SilentQueueDelegate: NSObject, SKPaymentQueueDelegate {}

class DerivedStorefront: SKStorefront, @unchecked Sendable {
    override var countryCode: String { "DEU" }
    override var identifier: String { "143443" }
}

/// A subclass of the queue, as an app's tests use it in place of the queue.
class DerivedQueue: SKPaymentQueue, @unchecked Sendable {
    private static let queue = DerivedQueue()
    var added: [SKPayment] = []
    var finished: [SKPaymentTransaction] = []
    override class func `default`() -> Self {
        guard let queue = queue as? Self else { preconditionFailure("no queue of a subclass") }
        return queue
    }
    override class func canMakePayments() -> Bool { false }
    override var storefront: SKStorefront? { DerivedStorefront() }
    override var transactions: [SKPaymentTransaction] { [DerivedTransaction(state: .purchased)] }
    override var transactionObservers: [any SKPaymentTransactionObserver] { [] }
    override func add(_ payment: SKPayment) { added.append(payment) }
    override func add(_ observer: any SKPaymentTransactionObserver) {
        observer.paymentQueue(self, updatedTransactions: transactions)
    }
    override func remove(_ observer: any SKPaymentTransactionObserver) {}
    override func finishTransaction(_ transaction: SKPaymentTransaction) { finished.append(transaction) }
    override func restoreCompletedTransactions() {}
    override func restoreCompletedTransactions(withApplicationUsername username: String?) {}
    override func start(_ downloads: [SKDownload]) {}
    override func pause(_ downloads: [SKDownload]) {}
    override func resume(_ downloads: [SKDownload]) {}
    override func cancel(_ downloads: [SKDownload]) {}
    override func showPriceConsentIfNeeded() {}
    override func presentCodeRedemptionSheet() {}
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

// Uses of StoreKit's classes in other people's wrappers and their tests, in the
// forms and the language mode of that code: both modules imported, stored
// overrides, narrower overrides, repeated conformances, protocols of their own.

final class StoredProduct: SKProduct, @unchecked Sendable {
    private let _productIdentifier: String
    var mockPrice: Decimal?
    lazy var mockDiscount: SKProductDiscount? = nil

    init(productIdentifier: String) {
        _productIdentifier = productIdentifier
        super.init()
    }

    override var productIdentifier: String { _productIdentifier }
    override var price: NSDecimalNumber { (mockPrice ?? 2.99) as NSDecimalNumber }
    @available(iOS 11.2, macOS 10.13.2, tvOS 11.2, *)
    override var introductoryPrice: SKProductDiscount? { mockDiscount }
    @available(iOS 12.2, macOS 10.14.4, tvOS 12.2, *)
    override var discounts: [SKProductDiscount] { mockDiscount.map { [$0] } ?? [] }
}

class NarrowDiscount: SKProductDiscount, @unchecked Sendable {
    /// Apple's property is optional; an override needn't be.
    override var identifier: String { "offer" }
    override var priceLocale: Locale { super.priceLocale }
}

final class StoredTransaction: SKPaymentTransaction, @unchecked Sendable {
    private let _payment: SKPayment
    private let _state: SKPaymentTransactionState

    init(payment: SKPayment, transactionState: SKPaymentTransactionState) {
        _payment = payment
        _state = transactionState
    }

    override var payment: SKPayment { _payment }
    override var transactionState: SKPaymentTransactionState { _state }
}

final class SpyingQueue: SKPaymentQueue {
    var addedPayments: [SKPayment] = []
    var observers: [SKPaymentTransactionObserver] = []
    weak var mockDelegate: SKPaymentQueueDelegate?

    override func add(_ payment: SKPayment) { addedPayments.append(payment) }
    override func add(_ observer: SKPaymentTransactionObserver) { observers.append(observer) }
    override func finishTransaction(_ transaction: SKPaymentTransaction) {}
    override func remove(_ observer: SKPaymentTransactionObserver) { observers.removeAll { $0 === observer } }
    override var delegate: SKPaymentQueueDelegate? {
        get { mockDelegate }
        set { mockDelegate = newValue }
    }

    func askEverybody() -> [Bool] {
        observers.compactMap { $0 as? SKPaymentQueueDelegate }
            .compactMap { $0.paymentQueueShouldShowPriceConsent?(self) }
    }
}

extension SpyingQueue: @unchecked Sendable {}

final class StoredResponse: SKProductsResponse {
    var mockProducts: [StoredProduct]

    init(productIdentifiers: Set<String>) {
        mockProducts = productIdentifiers.map { StoredProduct(productIdentifier: $0) }
        super.init()
    }

    override var products: [SKProduct] { mockProducts }
    override var invalidProductIdentifiers: [String] { [] }
}

extension StoredResponse: @unchecked Sendable {}

class StubRequest: SKProductsRequest, @unchecked Sendable {
    let requested: Set<String>
    var fails = false
    var cancelCalled = false

    override init(productIdentifiers: Set<String>) {
        requested = productIdentifiers
        super.init()
    }

    override func start() {
        if fails {
            // swift-format-ignore: NeverForceUnwrap
            delegate?.request!(self, didFailWithError: SKError(.unknown))
        } else {
            delegate?.productsRequest(self, didReceive: StoredResponse(productIdentifiers: requested))
            delegate?.requestDidFinish?(self)
        }
    }

    override func cancel() { cancelCalled = true }
}

/// A delegate with a property that has the name of its methods.
final class RequestHolder: NSObject, SKProductsRequestDelegate {
    private let request: SKProductsRequest
    private(set) var received: [String] = []
    private(set) var failures = 0

    init(_ request: SKProductsRequest) {
        self.request = request
        super.init()
        request.delegate = self
    }

    deinit {
        request.delegate = nil
    }

    func start() { request.start() }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        received = response.products.map { $0.productIdentifier }
    }

    func request(_ request: SKRequest, didFailWithError error: Error) { failures += 1 }
}

/// A protocol for the queue, as wrappers declare one for their tests.
public protocol PaymentQueueing: AnyObject {
    func add(_ observer: SKPaymentTransactionObserver)
    func remove(_ observer: SKPaymentTransactionObserver)
    func add(_ payment: SKPayment)
    func restoreCompletedTransactions(withApplicationUsername username: String?)
    func finishTransaction(_ transaction: SKPaymentTransaction)
    func showPriceConsentIfNeeded()
    func presentCodeRedemptionSheet()
}

extension SKPaymentQueue: PaymentQueueing {}

/// An observer with a property that has the name of its methods. It forwards
/// each call.
final class ForwardingObserver: NSObject, SKPaymentTransactionObserver {
    unowned let paymentQueue: any PaymentQueueing
    weak var next: SKPaymentTransactionObserver?

    init(paymentQueue: any PaymentQueueing = SKPaymentQueue.default()) {
        self.paymentQueue = paymentQueue
        super.init()
        paymentQueue.add(self)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        next?.paymentQueue(queue, updatedTransactions: transactions)
        for transaction in transactions { paymentQueue.finishTransaction(transaction) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        next?.paymentQueue?(queue, removedTransactions: transactions)
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error) {
        next?.paymentQueue?(queue, restoreCompletedTransactionsFailedWithError: error)
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        next?.paymentQueueRestoreCompletedTransactionsFinished?(queue)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        next?.paymentQueue?(queue, updatedDownloads: downloads)
    }

    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct)
        -> Bool
    {
        next?.paymentQueue?(queue, shouldAddStorePayment: payment, for: product) ?? true
    }
}

extension SKPaymentTransactionState: @retroactive CustomDebugStringConvertible {
    /// The case's name.
    public var debugDescription: String {
        switch self {
        case .purchasing: return "purchasing"
        case .purchased: return "purchased"
        case .failed: return "failed"
        case .restored: return "restored"
        case .deferred: return "deferred"
        @unknown default: return "unknown"
        }
    }
}

/// An observer that records states and finishes transactions.
final class NotingObserver: NSObject, SKPaymentTransactionObserver {
    var seen: [SKPaymentTransactionState] = []

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        seen += transactions.map { $0.transactionState }
        transactions.forEach { queue.finishTransaction($0) }
    }
}

final class SilentDelegate: NSObject, SKPaymentQueueDelegate {}

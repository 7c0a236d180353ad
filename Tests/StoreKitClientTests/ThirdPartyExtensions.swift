// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

// More uses of StoreKit's types in other people's wrappers and tests, found by
// compiling them: added conformances and initialisers, subclasses that call
// their superclass or are their own delegate, properties read by key.

extension SKRequest: @unchecked Sendable {}

extension SKError: LocalizedError {
    /// Words for the user.
    public var errorDescription: String? { code == .paymentCancelled ? "cancelled" : nil }
}

extension SKError.Code: @retroactive CustomStringConvertible {
    /// A word for the log.
    public var description: String { self == .clientInvalid ? "clientInvalid" : "code \(rawValue)" }
}

extension SKProduct {
    /// A product that no store sells.
    convenience init(identifier: String, price: String, locale: Locale, offer: SKProductDiscount? = nil) {
        self.init()
        setValue(identifier, forKey: "productIdentifier")
        setValue(NSDecimalNumber(string: price), forKey: "price")
        setValue(locale, forKey: "priceLocale")
        setValue(offer, forKey: "introductoryPrice")
        setValue(0, forKey: "downloadContentLengths")
    }
}

/// A transaction whose error can be set.
final class SettableTransaction: SKPaymentTransaction, @unchecked Sendable {
    private var storedError: Error?
    override var error: Error? {
        get { storedError }
        set { storedError = newValue }
    }
}

extension SKPaymentTransaction {
    static let unpaid = SKPaymentTransaction()

    /// The payment, read by key: such code doesn't rely on Apple's
    /// declaration.
    var paymentIfPresent: SKPayment? { value(forKey: "payment") as? SKPayment }
    var isFailureOfUnknownCause: Bool {
        transactionState == .failed && (error is SKError) && (error as? SKError)?.code == SKError.Code.unknown
    }
}

/// A request that is its own delegate.
final class RefreshingRequest: SKReceiptRefreshRequest, SKRequestDelegate, @unchecked Sendable {
    let completion: (Error?) -> Void

    init(completion: @escaping (Error?) -> Void) {
        self.completion = completion
        super.init()
        delegate = self
    }

    override func start() { delegate?.requestDidFinish?(self) }

    func requestDidFinish(_ request: SKRequest) { completion(nil) }
    func request(_ request: SKRequest, didFailWithError error: Error) { completion(error) }
}

/// A request with a default value for its superclass' argument, and with a
/// required initialiser.
class RecordingRequest: SKProductsRequest, @unchecked Sendable {
    private(set) var identifiers: Set<String> = []
    private(set) var starts = 0

    required override init() { super.init() }

    override init(productIdentifiers: Set<String> = ["com.example.apple"]) {
        super.init(productIdentifiers: productIdentifiers)
        identifiers = productIdentifiers
    }

    override func start() { starts += 1 }
}

/// A queue that records calls and passes them to its superclass.
final class NotingQueue: SKPaymentQueue, @unchecked Sendable {
    private let known: Set<String>
    weak var observer: SKPaymentTransactionObserver?
    private(set) var finished: SKPaymentTransaction?

    init(known: Set<String> = []) { self.known = known }

    override func add(_ observer: SKPaymentTransactionObserver) {
        super.add(observer)
        self.observer = observer
    }

    override func remove(_ observer: SKPaymentTransactionObserver) {
        super.remove(observer)
        self.observer = nil
    }

    override func finishTransaction(_ transaction: SKPaymentTransaction) {
        finished = transaction
        super.finishTransaction(transaction)
    }
}

protocol PayingQueue: AnyObject {
    var isPayingAllowed: Bool { get }
}

extension PayingQueue where Self: SKPaymentQueue {
    var isPayingAllowed: Bool { Self.canMakePayments() }
}

extension SKPaymentQueue: PayingQueue {}

// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// One entry of the payment queue, as it was at one moment.
///
/// Transactions don't change: an update comes with new ones. Two are equal
/// when they stand for the same entry of the queue, whatever its state.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    // @unchecked because the class is open and holds a payment, which isn't
    // Sendable; this one is a private copy that nothing changes.
    struct Contents {
        /// The entry's name in the agent's journal; `nil` for a transaction
        /// that was never in a queue.
        var entry: String?
        /// The home of the agent whose queue it is: tests have several, with
        /// entries of the same names.
        var queue: URL?
        var state = SKPaymentTransactionState.purchasing
        var payment = SKPayment()
        var transactionIdentifier: String?
        var transactionDate: Date?
        var error: (any Error)?
        var original: SKPaymentTransaction?
        var receipt: OwnReceipt?
    }

    let contents: Contents
    private let keyed = KeyedValues()

    /// What became of the payment.
    open var transactionState: SKPaymentTransactionState { keyed("transactionState", contents.state) }
    /// The payment.
    open var payment: SKPayment { keyed("payment", contents.payment) }
    /// The store's number for the purchase; set when purchased or restored.
    open var transactionIdentifier: String? {
        keyed("transactionIdentifier", contents.transactionIdentifier)
    }
    /// When it was purchased or restored.
    open var transactionDate: Date? { keyed("transactionDate", contents.transactionDate) }
    /// Why it failed: an ``SKError``, when the state is `failed`.
    open var error: (any Error)? { keyed("error", contents.error) }
    /// The purchase that is restored, when the state is `restored`.
    open var original: SKPaymentTransaction? {
        keyed("original", keyed("originalTransaction", contents.original))
    }
    /// Content that the store hosts for the purchase; none so far.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    open var downloads: [SKDownload] { keyed("downloads", []) }
    /// The receipt of this one transaction, for `/verifyReceipt`, which takes
    /// it base64-encoded; set when purchased or restored. The app's receipt,
    /// at `Bundle.main.appStoreReceiptURL`, has come in its place.
    ///
    /// In-App Purchase Programming Guide, chapter 5.
    @available(iOS, deprecated: 7.0)
    @available(tvOS, deprecated: 9.0)
    @available(macOS, unavailable)
    @available(watchOS, unavailable)
    @available(visionOS, unavailable)
    open var transactionReceipt: Data? { keyed("transactionReceipt", contents.receipt?.data) }

    /// A transaction that is in no queue, for test doubles to derive from.
    public override init() {
        contents = Contents()
        super.init()
    }

    init(_ contents: Contents) {
        self.contents = contents
        super.init()
    }

    /// Sets a property by its name, for tests that make a transaction without a store.
    ///
    /// Not Apple's declaration: there every Objective-C object has it. A name
    /// or a value that doesn't fit ends the process.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, for: key, of: self, keys: Self.keys)
    }

    /// A property by its name; an enumeration as its raw value.
    ///
    /// Not Apple's declaration: there every Objective-C object has it. A name
    /// that isn't a property's ends the process.
    open func value(forKey key: String) -> Any? {
        KeyedValues.value(for: key, of: self, keys: Self.keys)
    }

    private static var keys: [String: KeyedValues.Property<SKPaymentTransaction>] {
        [
            "transactionState": .init(enumeration: \.transactionState), "payment": .init(\.givenPayment),
            "transactionIdentifier": .init(\.transactionIdentifier), "transactionDate": .init(\.transactionDate),
            "error": .init(\.error), "original": .init(\.original), "originalTransaction": .init(\.original),
            "downloads": .init(\.downloads), "transactionReceipt": .init(\.transactionReceipt),
        ]
    }

    /// The payment, unless it is the empty one that stands for none.
    private var givenPayment: SKPayment? {
        payment === contents.payment && payment.productIdentifier.isEmpty ? nil : payment
    }

    /// Whether the other stands for the same entry of the queue.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKPaymentTransaction else { return false }
        guard let entry = contents.entry else { return self === other }
        return entry == other.contents.entry && contents.queue == other.contents.queue
    }

    /// Equal for transactions that stand for the same entry.
    open override var hash: Int { contents.entry?.hashValue ?? ObjectIdentifier(self).hashValue }
}

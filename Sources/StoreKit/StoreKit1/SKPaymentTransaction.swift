// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// One entry of the payment queue, as it was at one moment.
///
/// Transactions never change: an update delivers new objects. Two transactions
/// are equal when they refer to the same entry of the queue, in any state.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    // @unchecked because the class is open and holds a payment, which isn't
    // Sendable. The payment is a private copy that doesn't change.
    struct Contents {
        /// The entry's identifier in the agent's journal; `nil` for a
        /// transaction that was never in a queue.
        var entry: String?
        /// The home of the agent that has the queue: tests have several
        /// agents, whose entries may have the same identifiers.
        var queue: URL?
        var state = SKPaymentTransactionState.purchasing
        var payment = SKPayment()
        var transactionIdentifier: String?
        var transactionDate: Date?
        var error: (any Error)?
        var original: SKPaymentTransaction?
        var receipt: TransactionReceiptLoader?
        var downloads: DownloadLoader?
    }

    let contents: Contents
    private let keyed = KeyedValues()

    /// The state of the transaction.
    open var transactionState: SKPaymentTransactionState { keyed("transactionState", contents.state) }
    /// The payment.
    open var payment: SKPayment { keyed("payment", contents.payment) }
    /// The store's identifier of the purchase; set when purchased or restored.
    open var transactionIdentifier: String? {
        keyed("transactionIdentifier", contents.transactionIdentifier)
    }
    /// The date of the purchase, the restore or the failure.
    open var transactionDate: Date? { keyed("transactionDate", contents.transactionDate) }
    /// The reason of the failure: an ``SKError``, when the state is `failed`.
    open var error: (any Error)? { keyed("error", contents.error) }
    /// The original purchase, when the state is `restored`. A renewal of a
    /// subscription has the first purchase of its chain, and a non-consumable
    /// that was bought again has the first purchase of it. `nil` for other
    /// transactions.
    open var original: SKPaymentTransaction? {
        keyed("original", keyed("originalTransaction", contents.original))
    }
    /// The downloads of the content that the store hosts for the purchase;
    /// empty when it hosts none, and after the transaction was finished.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    open var downloads: [SKDownload] { keyed("downloads", contents.downloads?.downloads(of: self) ?? []) }
    /// The receipt of this one transaction, for `/verifyReceipt`, which takes
    /// it base64-encoded; set when purchased or restored. The app's receipt,
    /// at `Bundle.main.appStoreReceiptURL`, replaces it.
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
    /// An addition to Apple's API, where every Objective-C object has this
    /// method. A wrong name or value ends the process.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, for: key, of: self, keys: Self.keys)
    }

    /// Returns a property by its name; an enumeration as its raw value.
    ///
    /// An addition to Apple's API, where every Objective-C object has this
    /// method. A wrong name ends the process.
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

    /// The payment; `nil` for the empty one of a transaction without a
    /// payment.
    private var givenPayment: SKPayment? {
        payment === contents.payment && payment.productIdentifier.isEmpty ? nil : payment
    }

    /// Whether the other object refers to the same entry of the queue.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKPaymentTransaction else { return false }
        guard let entry = contents.entry else { return self === other }
        return entry == other.contents.entry && contents.queue == other.contents.queue
    }

    /// Equal for transactions of the same entry.
    open override var hash: Int { contents.entry?.hashValue ?? ObjectIdentifier(self).hashValue }
}

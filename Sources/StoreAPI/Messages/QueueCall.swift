// SPDX-License-Identifier: Apache-2.0

/// Asks for the unfinished queue of this device for one app. The queue is
/// authoritative; events are only hints that it has changed.
package struct QueueCall: AppCall, Hashable {
    package static let path = StorePath.queue

    @Limited<Identifier> package var bundleIdentifier: String
    /// The last event that the device has journalled. The answer has the
    /// purchases that were revoked after it.
    package var position: EventPosition?

    package init(bundleIdentifier: String, position: EventPosition? = nil) {
        self.bundleIdentifier = bundleIdentifier
        self.position = position
    }

    package typealias Answer = QueueSnapshot
}

/// The unfinished transactions of one app on one device, at one moment.
package struct QueueSnapshot: Codable, Sendable, Hashable {
    /// The last event of the account at that moment; `nil` when the device is
    /// signed out.
    package var position: EventPosition?
    /// The unfinished transactions of the account that is signed in, in the
    /// order of their events.
    package var transactions: [TransactionInfo]
    /// The storefront of the account.
    package var storefront: StorefrontInfo?
    /// The purchases that were revoked after the position in the request;
    /// `nil` when there are none, or the position is missing or of another
    /// account.
    package var revoked: [RevokedInfo]?

    package init(
        position: EventPosition?, transactions: [TransactionInfo], storefront: StorefrontInfo? = nil,
        revoked: [RevokedInfo]? = nil
    ) {
        self.position = position
        self.transactions = transactions
        self.storefront = storefront
        self.revoked = revoked
    }
}

/// A purchase that was refunded.
package struct RevokedInfo: Codable, Sendable, Hashable {
    /// The identifier of the first purchase. All purchases with this original
    /// are revoked too.
    package var originalTransactionIdentifier: String
    package var productIdentifier: String
    /// Whether the customer loses a product by the refund: false for
    /// consumables and non-renewing subscriptions.
    package var isEntitlement: Bool

    package init(originalTransactionIdentifier: String, productIdentifier: String, isEntitlement: Bool) {
        self.originalTransactionIdentifier = originalTransactionIdentifier
        self.productIdentifier = productIdentifier
        self.isEntitlement = isEntitlement
    }
}

/// A transaction in a device's queue or in a restore.
package struct TransactionInfo: Codable, Sendable, Hashable {
    /// A decimal number below 2^63. The sandbox's begin with 2.
    package var transactionIdentifier: String
    /// The identifier of the first purchase, when a non-consumable was bought
    /// again or restored; else the transaction's own.
    package var originalTransactionIdentifier: String
    package var productIdentifier: String
    @Limited<Quantity> package var quantity: Int
    /// Milliseconds since 1970.
    @Limited<Milliseconds> package var purchaseDate: Int64
    /// The date of the purchase that `originalTransactionIdentifier` names,
    /// in milliseconds since 1970.
    @Limited<Milliseconds> package var originalPurchaseDate: Int64
    /// The user name of the payment; `nil` when the payment had none.
    package var applicationUsername: String?
    /// The payment of this device that the transaction answers; `nil` when
    /// there is none.
    package var requestIdentifier: String?
    /// Set when this transaction restores another one.
    package var restores: RestoredPurchase?

    package init(
        transactionIdentifier: String, originalTransactionIdentifier: String, productIdentifier: String,
        quantity: Int, purchaseDate: Int64, originalPurchaseDate: Int64, applicationUsername: String? = nil,
        requestIdentifier: String? = nil, restores: RestoredPurchase? = nil
    ) {
        self.transactionIdentifier = transactionIdentifier
        self.originalTransactionIdentifier = originalTransactionIdentifier
        self.productIdentifier = productIdentifier
        self.quantity = quantity
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.applicationUsername = applicationUsername
        self.requestIdentifier = requestIdentifier
        self.restores = restores
    }
}

/// The original purchase of a restored transaction.
package struct RestoredPurchase: Codable, Sendable, Hashable {
    package var transactionIdentifier: String
    /// Milliseconds since 1970.
    @Limited<Milliseconds> package var purchaseDate: Int64
    @Limited<Quantity> package var quantity: Int

    package init(transactionIdentifier: String, purchaseDate: Int64, quantity: Int) {
        self.transactionIdentifier = transactionIdentifier
        self.purchaseDate = purchaseDate
        self.quantity = quantity
    }
}

/// Removes a transaction from the queue, because the app has finished it.
/// Repeating it changes nothing.
package struct FinishCall: AppCall, Hashable {
    package static let path = StorePath.finish

    @Limited<RequestIdentifier> package var requestIdentifier: String
    @Limited<Identifier> package var bundleIdentifier: String
    @Limited<Identifier> package var transactionIdentifier: String

    package init(requestIdentifier: String, bundleIdentifier: String, transactionIdentifier: String) {
        self.requestIdentifier = requestIdentifier
        self.bundleIdentifier = bundleIdentifier
        self.transactionIdentifier = transactionIdentifier
    }

    /// An empty answer: the transaction isn't in the device's queue any more.
    package struct Answer: Codable, Sendable, Hashable {
        package init() {}
    }
}

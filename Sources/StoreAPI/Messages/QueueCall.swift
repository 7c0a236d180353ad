// SPDX-License-Identifier: Apache-2.0

/// Asks for the unfinished queue of this device for one app: the truth that
/// the event stream hints at.
package struct QueueCall: AppCall, Hashable {
    package static let path = StorePath.queue

    @Limited<Identifier> package var bundleIdentifier: String
    /// The last event that the device has journalled: what was revoked since
    /// is in the answer.
    package var position: EventPosition?

    package init(bundleIdentifier: String, position: EventPosition? = nil) {
        self.bundleIdentifier = bundleIdentifier
        self.position = position
    }

    package typealias Answer = QueueSnapshot
}

/// Everything unfinished of one app on one device, at one moment.
package struct QueueSnapshot: Codable, Sendable, Hashable {
    /// Where the account's events stood; `nil` when the device is signed out.
    package var position: EventPosition?
    package var transactions: [TransactionInfo]
    /// Where the account shops.
    package var storefront: StorefrontInfo?
    /// What was revoked since the position from which the device went on,
    /// when that is too old for single events.
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

/// Something that was bought, and refunded.
package struct RevokedInfo: Codable, Sendable, Hashable {
    /// The first purchase's; all that were made of it since are revoked too.
    package var originalTransactionIdentifier: String
    package var productIdentifier: String
    /// Whether the customer has lost something by it: a consumable that is
    /// used up is nobody's to lose.
    package var isEntitlement: Bool

    package init(originalTransactionIdentifier: String, productIdentifier: String, isEntitlement: Bool) {
        self.originalTransactionIdentifier = originalTransactionIdentifier
        self.productIdentifier = productIdentifier
        self.isEntitlement = isEntitlement
    }
}

/// A transaction as a device sees it.
package struct TransactionInfo: Codable, Sendable, Hashable {
    /// A decimal number below 2^63; sandbox ones begin with 2.
    package var transactionIdentifier: String
    package var originalTransactionIdentifier: String
    package var productIdentifier: String
    @Limited<Quantity> package var quantity: Int
    /// Milliseconds since 1970.
    @Limited<Milliseconds> package var purchaseDate: Int64
    @Limited<Milliseconds> package var originalPurchaseDate: Int64
    package var applicationUsername: String?
    /// The payment of this device that it answers; `nil` when nobody asked
    /// for it here.
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

/// The purchase behind a restored transaction.
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

/// Says that the app has delivered a transaction. Repeating it changes nothing.
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

    package struct Answer: Codable, Sendable, Hashable {
        package init() {}
    }
}

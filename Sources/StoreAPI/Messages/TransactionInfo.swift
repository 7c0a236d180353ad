// SPDX-License-Identifier: Apache-2.0

/// A transaction in a device's queue or in a restore.
package struct TransactionInfo: Codable, Sendable, Hashable {
    /// A decimal number below 2^63. The sandbox's begin with 2.
    package var transactionIdentifier: String
    /// The identifier of the first purchase, when a non-consumable was bought
    /// again or restored, and of a subscription's first period; else the
    /// transaction's own.
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
    /// The newest hosted content of the product; `nil` when it has none, and
    /// from an older store.
    package var content: [ContentOffer]?

    package init(
        transactionIdentifier: String, originalTransactionIdentifier: String, productIdentifier: String,
        quantity: Int, purchaseDate: Int64, originalPurchaseDate: Int64, applicationUsername: String? = nil,
        requestIdentifier: String? = nil, restores: RestoredPurchase? = nil, content: [ContentOffer]? = nil
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
        self.content = content
    }
}

/// The original purchase of a restored transaction.
package struct RestoredPurchase: Codable, Sendable, Hashable {
    package var transactionIdentifier: String
    /// Milliseconds since 1970.
    @Limited<Milliseconds> package var purchaseDate: Int64
    @Limited<Quantity> package var quantity: Int
    /// The transaction of the subscription's period that is restored; `nil`
    /// for the first period, and for other products.
    package var period: String?

    package init(transactionIdentifier: String, purchaseDate: Int64, quantity: Int, period: String? = nil) {
        self.transactionIdentifier = transactionIdentifier
        self.purchaseDate = purchaseDate
        self.quantity = quantity
        self.period = period
    }
}

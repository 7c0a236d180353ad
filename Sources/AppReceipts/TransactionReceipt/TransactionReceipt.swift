// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The contents of a transaction receipt: one purchase, in the format that
/// the App Store used from 2009 until it introduced app receipts.
///
/// This value proves nothing about its signer. Bytes from outside become an
/// ``UnverifiedTransactionReceipt``, and only a
/// ``TransactionReceiptVerifier`` creates a ``VerifiedTransactionReceipt``
/// from them.
///
/// Dates are kept to the millisecond.
public struct TransactionReceipt: Sendable, Hashable {
    /// The environment that issued a transaction receipt.
    ///
    /// It isn't signed. The strict profile requires that it agrees with
    /// ``TransactionReceipt/appItemIdentifier``, which is signed.
    public enum Environment: Sendable, Hashable {
        /// Real purchases with real money.
        case production
        /// Test accounts; nothing is charged.
        case sandbox
    }

    /// The environment that issued the receipt.
    public var environment: Environment
    /// The app (`bid`).
    public var bundleIdentifier: String
    /// The app's version (`bvrs`).
    public var bundleVersion: String
    /// The product (`product-id`).
    public var productIdentifier: String
    /// How many were bought (`quantity`).
    public var quantity: Int
    /// The transaction (`transaction-id`).
    public var transactionIdentifier: String
    /// When the transaction was made (`purchase-date`).
    public var purchaseDate: Date
    /// The transaction of the product's first purchase
    /// (`original-transaction-id`).
    public var originalTransactionIdentifier: String
    /// When the product was first bought (`original-purchase-date`).
    public var originalPurchaseDate: Date
    /// When a subscription ends (`expires-date`).
    public var expirationDate: Date?
    /// The app's number in the store (`app-item-id`). Every production
    /// receipt has one, and no sandbox receipt does.
    public var appItemIdentifier: String?
    /// The entries without a property here, such as `unique-identifier`,
    /// which names the device. They are encoded unchanged.
    public var unknownEntries: [String: String]

    /// A receipt with these contents.
    ///
    /// The original identifier and date default to those of the transaction
    /// itself.
    public init(
        environment: Environment = .sandbox,
        bundleIdentifier: String,
        bundleVersion: String,
        productIdentifier: String,
        quantity: Int = 1,
        transactionIdentifier: String,
        purchaseDate: Date,
        originalTransactionIdentifier: String? = nil,
        originalPurchaseDate: Date? = nil,
        expirationDate: Date? = nil,
        appItemIdentifier: String? = nil,
        unknownEntries: [String: String] = [:]
    ) {
        self.environment = environment
        self.bundleIdentifier = bundleIdentifier
        self.bundleVersion = bundleVersion
        self.productIdentifier = productIdentifier
        self.quantity = quantity
        self.transactionIdentifier = transactionIdentifier
        self.purchaseDate = purchaseDate
        self.originalTransactionIdentifier = originalTransactionIdentifier ?? transactionIdentifier
        self.originalPurchaseDate = originalPurchaseDate ?? purchaseDate
        self.expirationDate = expirationDate
        self.appItemIdentifier = appItemIdentifier
        self.unknownEntries = unknownEntries
    }
}

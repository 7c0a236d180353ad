// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The contents of a transaction receipt: one purchase, in the format that the
/// App Store had from 2009 until app receipts came.
///
/// This is a plain value. It says nothing about who signed it: bytes from
/// outside become an ``UnverifiedTransactionReceipt``, and only a
/// ``TransactionReceiptVerifier`` makes a ``VerifiedTransactionReceipt``.
///
/// Dates are kept to the millisecond.
public struct TransactionReceipt: Sendable, Hashable {
    /// Where a transaction receipt comes from.
    ///
    /// It stands outside of what is signed; see the format's documentation for
    /// what a verifier makes of that.
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
    /// The transaction that the product was first bought by
    /// (`original-transaction-id`).
    public var originalTransactionIdentifier: String
    /// When the product was first bought (`original-purchase-date`).
    public var originalPurchaseDate: Date
    /// When a subscription ends (`expires-date`).
    public var expirationDate: Date?
    /// The app's number in the store (`app-item-id`): always there in
    /// production, and never in the sandbox.
    public var appItemIdentifier: String?
    /// The entries that this version has no name for, which are encoded again
    /// as they were; such as `unique-identifier`, the device.
    public var unknownEntries: [String: String]

    /// A receipt with these contents, whose transaction is its own original
    /// one if not told otherwise.
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

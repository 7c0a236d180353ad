// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// A transaction receipt as JSON, which `inspect --json` prints and `make`
/// reads.
struct TransactionReceiptDescription: Codable {
    var format = "transaction-receipt"
    /// `Sandbox` or `Production`.
    var environment: String?
    var bundleIdentifier: String
    var bundleVersion: String?
    var productIdentifier: String
    var quantity: Int?
    var transactionIdentifier: String
    var purchaseDate: String?
    var originalTransactionIdentifier: String?
    var originalPurchaseDate: String?
    var expirationDate: String?
    var appItemIdentifier: String?
    var unknownEntries: [String: String]?

    init(_ receipt: TransactionReceipt) {
        environment = receipt.environment == .sandbox ? "Sandbox" : "Production"
        bundleIdentifier = receipt.bundleIdentifier
        bundleVersion = receipt.bundleVersion
        productIdentifier = receipt.productIdentifier
        quantity = receipt.quantity
        transactionIdentifier = receipt.transactionIdentifier
        purchaseDate = spelled(receipt.purchaseDate)
        originalTransactionIdentifier = receipt.originalTransactionIdentifier
        originalPurchaseDate = spelled(receipt.originalPurchaseDate)
        expirationDate = receipt.expirationDate.map(spelled)
        appItemIdentifier = receipt.appItemIdentifier
        unknownEntries = receipt.unknownEntries.isEmpty ? nil : receipt.unknownEntries
    }

    /// Makes a receipt. Absent values get defaults.
    ///
    /// - Throws: `CommandFailure` if a value can't be read.
    func receipt(now: Date) throws -> TransactionReceipt {
        TransactionReceipt(
            environment: environment == "Production" ? .production : .sandbox, bundleIdentifier: bundleIdentifier,
            bundleVersion: bundleVersion ?? "1.0", productIdentifier: productIdentifier, quantity: quantity ?? 1,
            transactionIdentifier: transactionIdentifier, purchaseDate: try purchaseDate.map(date) ?? now,
            originalTransactionIdentifier: originalTransactionIdentifier,
            originalPurchaseDate: try originalPurchaseDate.map(date), expirationDate: try expirationDate.map(date),
            appItemIdentifier: appItemIdentifier, unknownEntries: unknownEntries ?? [:])
    }

    var lines: [String] {
        [
            ("format               ", "transaction receipt"), ("environment          ", environment),
            ("bundle identifier    ", bundleIdentifier), ("version              ", bundleVersion),
            ("product              ", productIdentifier), ("quantity             ", quantity.map(String.init)),
            ("transaction          ", transactionIdentifier), ("purchased            ", purchaseDate),
            ("original transaction ", originalTransactionIdentifier), ("first bought         ", originalPurchaseDate),
            ("expires              ", expirationDate), ("app                  ", appItemIdentifier),
        ].compactMap { name, value in value.map { name + $0 } }
            + (unknownEntries ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)  \($0.value)" }
    }
}

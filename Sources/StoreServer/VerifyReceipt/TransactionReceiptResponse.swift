// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDomain
import StoreService

/// The response about a transaction receipt.
struct TransactionReceiptResponse: Encodable {
    private let current: CurrentTransactionReceipt
    /// In base64.
    private let latestReceipt: String

    /// Makes a response about a receipt; `sent` is its bytes.
    init(_ current: CurrentTransactionReceipt, sent: Data) {
        self.current = current
        latestReceipt = (current.latest ?? sent).base64EncodedString()
    }

    func encode(to encoder: any Encoder) throws {
        let status = current.isExpired ? VerifyReceiptStatus.expired : .valid
        var container = encoder.container(keyedBy: ReceiptKey.self)
        try container.encode(status.rawValue, forKey: "status")
        try container.encode(TransactionReceiptBody(current.sent), forKey: "receipt")
        // Only auto-renewable subscriptions have more.
        guard let newest = current.newest else { return }
        // The answer about a subscription that has ended has no newer receipt.
        if !current.isExpired { try container.encode(latestReceipt, forKey: "latest_receipt") }
        try container.encode(
            TransactionReceiptBody(newest),
            forKey: current.isExpired ? "latest_expired_receipt_info" : "latest_receipt_info")
        guard let renewal = current.renewal else { return }
        try container.encode(renewal.nextProduct.rawValue, forKey: "auto_renew_product_id")
        // A number here, and a string in `pending_renewal_info`.
        try container.encode(renewal.renews ? 1 : 0, forKey: "auto_renew_status")
        try container.encode(endOf: renewal)
    }
}

/// The purchase, with Apple's field names: every entry of the receipt as a
/// string, `_` for `-` (table 5-1 of the In App Purchase Programming Guide).
struct TransactionReceiptBody: Encodable {
    private let contents: TransactionReceipt
    private let cancellationDate: Date?
    private let cancellationReason: Int64

    /// Entries that sandbox receipts don't have.
    private static let productionOnly: Set = ["app-item-id", "version-external-identifier"]

    init(_ period: CurrentTransactionReceipt.Period) {
        contents = period.contents
        cancellationDate = period.revoked
        cancellationReason = period.reason
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ReceiptKey.self)
        for (key, value) in try contents.entries
        where contents.environment == .production || !Self.productionOnly.contains(key) {
            if key == "web-order-line-item-id", value == "0" { continue }
            try container.encode(
                value, forKey: ReceiptKey(stringValue: key.replacingOccurrences(of: "-", with: "_")))
        }
        if let cancellationDate, try contents.entries["cancellation-date"] == nil {
            try container.encode(cancellationDate, spellings: "cancellation_date")
            try container.encode(String(cancellationReason), forKey: "cancellation_reason")
        }
    }
}

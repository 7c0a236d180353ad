// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreService

/// The response about a transaction receipt.
struct TransactionReceiptResponse: Encodable {
    var status: VerifyReceiptStatus
    var receipt: TransactionReceiptBody
    var latestReceipt: String
    var isSubscription: Bool

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ReceiptKey.self)
        try container.encode(status.rawValue, forKey: "status")
        try container.encode(receipt, forKey: "receipt")
        try container.encode(latestReceipt, forKey: "latest_receipt")
        guard isSubscription else { return }
        try container.encode(
            receipt, forKey: status == .expired ? "latest_expired_receipt_info" : "latest_receipt_info")
    }
}

/// The purchase, with Apple's field names: every entry of the receipt as a
/// string, `_` for `-` (table 5-1 of the In App Purchase Programming Guide).
struct TransactionReceiptBody: Encodable {
    private let contents: TransactionReceipt
    private let cancellationDate: Date?

    /// Entries that sandbox receipts don't have.
    private static let productionOnly: Set = ["app-item-id", "version-external-identifier"]

    /// Makes a body with the contents of a receipt, and the date of its
    /// refund.
    init(_ contents: TransactionReceipt, cancellationDate: Date?) {
        self.contents = contents
        self.cancellationDate = cancellationDate
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ReceiptKey.self)
        for (key, value) in try contents.entries
        where contents.environment == .production || !Self.productionOnly.contains(key) {
            try container.encode(
                value, forKey: ReceiptKey(stringValue: key.replacingOccurrences(of: "-", with: "_")))
        }
        if let cancellationDate, try contents.entries["cancellation-date"] == nil {
            try container.encode(cancellationDate, spellings: "cancellation_date")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

struct VerifyReceiptRequest: Decodable {
    var receiptData: String

    enum CodingKeys: String, CodingKey {
        case receiptData = "receipt-data"
    }
}

struct VerifyReceiptResponse: Encodable {
    var status: Int
    var environment: String?
    var receipt: ReceiptBody?
}

/// The contents of a receipt, in Apple's spelling.
struct ReceiptBody: Encodable {
    private let contents: AppReceipt
    private let requestDate: Date

    init(_ contents: AppReceipt, requestDate: Date) {
        self.contents = contents
        self.requestDate = requestDate
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ReceiptKey.self)
        try container.encode(contents.environment.rawValue, forKey: "receipt_type")
        try container.encode(contents.appIdentifier ?? 0, forKey: "adam_id")
        try container.encode(contents.appIdentifier ?? 0, forKey: "app_item_id")
        try container.encode(contents.bundleIdentifier, forKey: "bundle_id")
        try container.encode(contents.applicationVersion, forKey: "application_version")
        try container.encode(contents.downloadIdentifier ?? 0, forKey: "download_id")
        try container.encode(contents.versionExternalIdentifier ?? 0, forKey: "version_external_identifier")
        try container.encode(contents.originalApplicationVersion, forKey: "original_application_version")
        try container.encode(contents.creationDate, spellings: "receipt_creation_date")
        try container.encode(requestDate, spellings: "request_date")
        if let date = contents.originalPurchaseDate { try container.encode(date, spellings: "original_purchase_date") }
        if let date = contents.expirationDate { try container.encode(date, spellings: "expiration_date") }
        try container.encode(contents.inAppPurchases.map(InAppBody.init), forKey: "in_app")
    }
}

/// One purchase: numbers are strings here, as Apple has them.
struct InAppBody: Encodable {
    private let purchase: InAppPurchase

    init(_ purchase: InAppPurchase) {
        self.purchase = purchase
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ReceiptKey.self)
        try container.encode(String(purchase.quantity), forKey: "quantity")
        try container.encode(purchase.productIdentifier, forKey: "product_id")
        try container.encode(purchase.transactionIdentifier, forKey: "transaction_id")
        try container.encode(purchase.originalTransactionIdentifier, forKey: "original_transaction_id")
        try container.encode(purchase.purchaseDate, spellings: "purchase_date")
        try container.encode(purchase.originalPurchaseDate, spellings: "original_purchase_date")
        try container.encode(String(purchase.isTrialPeriod ?? false), forKey: "is_trial_period")
        if let date = purchase.cancellationDate { try container.encode(date, spellings: "cancellation_date") }
    }
}

struct ReceiptKey: CodingKey, ExpressibleByStringLiteral {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
    init(stringLiteral value: String) { stringValue = value }
}

extension KeyedEncodingContainer where Key == ReceiptKey {
    /// A date in its three spellings: `X`, `X_ms` and `X_pst`.
    mutating func encode(_ date: Date, spellings name: String) throws {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
        try encode(ReceiptDateText.text(date, zone: "Etc/GMT"), forKey: ReceiptKey(stringValue: name))
        try encode(String(milliseconds), forKey: ReceiptKey(stringValue: name + "_ms"))
        try encode(
            ReceiptDateText.text(date, zone: "America/Los_Angeles"), forKey: ReceiptKey(stringValue: name + "_pst"))
    }
}

/// Dates as `yyyy-MM-dd HH:mm:ss Zone`.
enum ReceiptDateText {
    static func text(_ date: Date, zone: String) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        func digits(_ number: Int?, _ count: Int) -> String {
            let text = String(number ?? 0)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(digits(parts.year, 4))-\(digits(parts.month, 2))-\(digits(parts.day, 2)) "
            + "\(digits(parts.hour, 2)):\(digits(parts.minute, 2)):\(digits(parts.second, 2)) \(zone)"
    }
}

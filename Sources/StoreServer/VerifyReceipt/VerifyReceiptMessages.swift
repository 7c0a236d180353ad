// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDomain
import StoreService

struct VerifyReceiptRequest: Decodable {
    var receiptData: String
    var password: String?
    /// Whether only the latest renewal of each subscription is wanted.
    var excludeOldTransactions: Bool?

    enum CodingKeys: String, CodingKey {
        case receiptData = "receipt-data"
        case password
        case excludeOldTransactions = "exclude-old-transactions"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        receiptData = try container.decode(String.self, forKey: .receiptData)
        password = try container.decodeIfPresent(String.self, forKey: .password)
        excludeOldTransactions = try Self.flag(container)
    }

    /// Apple's service also reads a Boolean that is written as a text.
    private static func flag(_ container: KeyedDecodingContainer<CodingKeys>) throws -> Bool? {
        let key = CodingKeys.excludeOldTransactions
        guard let text = try? container.decode(String.self, forKey: key) else {
            return try container.decodeIfPresent(Bool.self, forKey: key)
        }
        guard let flag = Bool(text.lowercased()) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "no Boolean")
        }
        return flag
    }
}

/// A response. Absent values are omitted.
struct VerifyReceiptResponse: Encodable {
    var status: VerifyReceiptStatus
    var environment: String?
    var receipt: ReceiptBody?
    var latestReceipt: String?
    var latestReceiptInfo: [LatestTransaction]?
    var pendingRenewalInfo: [RenewalInfo]?

    enum CodingKeys: String, CodingKey {
        case status, environment, receipt
        case latestReceipt = "latest_receipt"
        case latestReceiptInfo = "latest_receipt_info"
        case pendingRenewalInfo = "pending_renewal_info"
        case isRetryable = "is_retryable"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(status.rawValue, forKey: .status)
        try container.encodeIfPresent(environment, forKey: .environment)
        try container.encodeIfPresent(receipt, forKey: .receipt)
        try container.encodeIfPresent(latestReceipt, forKey: .latestReceipt)
        try container.encodeIfPresent(latestReceiptInfo, forKey: .latestReceiptInfo)
        try container.encodeIfPresent(pendingRenewalInfo, forKey: .pendingRenewalInfo)
        try container.encodeIfPresent(status.isRetryable, forKey: .isRetryable)
    }
}

/// The contents of a receipt, with Apple's field names.
struct ReceiptBody: Encodable {
    private let contents: AppReceipt
    private let purchases: [CurrentAppReceipt.Listed]
    private let requestDate: Date

    /// Makes a body with the contents of a receipt, and these purchases
    /// instead of the receipt's.
    init(_ contents: AppReceipt, listing purchases: [CurrentAppReceipt.Listed], requestDate: Date) {
        self.contents = contents
        self.purchases = purchases
        self.requestDate = requestDate
    }

    func encode(to encoder: any Encoder) throws {
        // In the sandbox both versions are always 1.0, as in Apple's responses.
        let isProduction = contents.environment.isProduction
        var container = encoder.container(keyedBy: ReceiptKey.self)
        try container.encode(contents.environment.rawValue, forKey: "receipt_type")
        try container.encode(contents.appIdentifier ?? 0, forKey: "adam_id")
        try container.encode(contents.appIdentifier ?? 0, forKey: "app_item_id")
        try container.encode(contents.bundleIdentifier, forKey: "bundle_id")
        try container.encode(isProduction ? contents.applicationVersion : "1.0", forKey: "application_version")
        try container.encode(contents.downloadIdentifier ?? 0, forKey: "download_id")
        try container.encode(contents.versionExternalIdentifier ?? 0, forKey: "version_external_identifier")
        try container.encode(
            isProduction ? contents.originalApplicationVersion : "1.0", forKey: "original_application_version")
        try container.encode(contents.creationDate, spellings: "receipt_creation_date")
        try container.encode(requestDate, spellings: "request_date")
        try container.encode(
            isProduction ? contents.originalPurchaseDate ?? firstPurchase : Self.sandboxPurchase,
            spellings: "original_purchase_date")
        if let date = contents.expirationDate { try container.encode(date, spellings: "expiration_date") }
        try container.encode(
            purchases.map {
                InAppFields($0.purchase, isShared: $0.isShared, cancellationReason: $0.cancellationReason)
            }, forKey: "in_app")
    }

    /// 2013-08-01 07:00:00 Etc/GMT: the date in every receipt of Apple's sandbox.
    private static let sandboxPurchase = Date(timeIntervalSince1970: 1_375_340_400)

    /// The oldest date that the receipt has, of an app that the account hasn't got on its page.
    private var firstPurchase: Date {
        purchases.map(\.purchase.originalPurchaseDate).min() ?? contents.creationDate
    }
}

// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDomain
import StoreService

/// Answers a request about a transaction receipt, the format that app
/// receipts replaced.
struct VerifyingTransactionReceipt {
    private let routes: VerifyReceiptRoutes
    private let asked: VerifyReceiptRequest
    private let address: String?

    init(_ routes: VerifyReceiptRoutes, _ asked: VerifyReceiptRequest, _ address: String?) {
        self.routes = routes
        self.asked = asked
        self.address = address
    }

    func answer(_ receipt: Data) async throws -> TransactionReceiptResponse {
        let contents = try verified(receipt)
        try routes.checkEnvironment(isProduction: contents.environment == .production)
        try routes.checkSecret(
            asked.password, of: contents.bundleIdentifier, hasSubscription: contents.expirationDate != nil,
            from: address)
        let states = try await routes.states(
            of: [contents.transactionIdentifier], of: contents.bundleIdentifier)
        let isExpired = contents.expirationDate.map { $0 <= routes.now } ?? false
        return TransactionReceiptResponse(
            status: isExpired ? .expired : .valid,
            receipt: TransactionReceiptBody(
                contents, cancellationDate: states[contents.transactionIdentifier]?.revoked?.date),
            latestReceipt: receipt.base64EncodedString(), isSubscription: contents.expirationDate != nil)
    }

    private func verified(_ receipt: Data) throws -> TransactionReceipt {
        let authority = routes.service.authority
        guard let intermediate = authority.issuingCertificates["intermediate"] else {
            throw VerifyReceiptRefusal(status: .internalAccess)
        }
        let verifier = TransactionReceiptVerifier(
            roots: [authority.rootCertificate], intermediates: [intermediate],
            revoked: try authority.revokedCertificates)
        let verdict = try VerifyReceiptRefusal.ofMalformed { try verifier.verify(receipt) }
        switch verdict {
        case .verified(let verified): return verified.contents
        case .refused(let reasons): throw VerifyReceiptRefusal(status: .notAuthentic, reasons: reasons)
        }
    }
}

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

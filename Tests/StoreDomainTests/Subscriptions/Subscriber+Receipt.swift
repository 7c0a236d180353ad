// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Receipts of the phone, and the answers of `/verifyReceipt` about them.
extension Subscriber {
    /// The app receipt that the phone gets now.
    func receipt() async throws -> Data {
        let answer = try await phone.receiptAnswer()
        return try #require(answer.receipt.flatMap { Data(base64Encoded: $0) })
    }

    /// The current state of an app receipt.
    func verify(_ receipt: Data, _ extent: ReceiptHistory.Extent = .all) async throws -> CurrentAppReceipt {
        let verified = try await store.service.verify(receipt: receipt)
        guard case .app(let current) = try await store.service.currentState(of: verified, extent: extent) else {
            throw StoreFailure(.internalError, "It isn't an app receipt.")
        }
        return current
    }

    /// The transactions of `latest_receipt_info`, each with its product and
    /// start, and whether it was refunded or upgraded.
    func history(of receipt: Data, _ extent: ReceiptHistory.Extent = .all) async throws -> [String] {
        let latest = try #require(try await verify(receipt, extent).latest)
        return latest.transactions.map { transaction in
            let purchase = transaction.purchase
            let start = Self.text(StoreTime(milliseconds: Int64(purchase.purchaseDate.timeIntervalSince1970) * 1000))
            return "\(purchase.productIdentifier) \(start)\(purchase.cancellationDate == nil ? "" : " refunded")"
                + (transaction.isUpgraded ? " upgraded" : "")
        }
    }

    /// The entries of `pending_renewal_info`, a line each.
    func renewals(of receipt: Data) async throws -> [String] {
        let latest = try #require(try await verify(receipt).latest)
        return latest.renewals.map(Self.text)
    }

    /// An entry of `pending_renewal_info`.
    static func text(_ renewal: RenewalInfo) -> String {
        let next = renewal.nextProduct == renewal.product ? "" : " as \(renewal.nextProduct)"
        let reason = renewal.reason.map { " (\($0.rawValue))" } ?? ""
        let grace = renewal.graceEnd.map { ", grace until \(text($0))" } ?? ""
        let offer = (renewal.promotionalOffer ?? renewal.offerCodeName).map { " with \($0)" } ?? ""
        return "\(renewal.product) \(renewal.renews ? "renews" : "ends")\(next)\(offer)\(reason)"
            + "\(renewal.isRetried ? ", retried" : "")\(grace)"
    }

    /// The phone's receipt of a single transaction.
    func transactionReceipt(of transaction: String) async throws -> Data {
        let answer = try await phone.call(
            TransactionReceiptsCall(
                bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1.0", transactions: [transaction]))
        return try #require(answer.receipts[transaction].flatMap { Data(base64Encoded: $0) })
    }

    /// The current state of a receipt of a single transaction.
    func verifyTransaction(_ receipt: Data) async throws -> CurrentTransactionReceipt {
        let verified = try await store.service.verify(receipt: receipt)
        guard case .transaction(let current) = try await store.service.currentState(of: verified, extent: .all) else {
            throw StoreFailure(.internalError, "It isn't a receipt of a single transaction.")
        }
        return current
    }

    /// The contents of an app receipt that is valid on the phone.
    func contents(of receipt: Data) throws -> AppReceipt {
        let verdict = try TestStore.authority.get().verifier.verify(
            receipt,
            expecting: .init(
                bundleIdentifier: TestStore.bundleIdentifier,
                deviceIdentifier: Data(hexadecimal: phone.credentials.identifier)))
        guard case .verified(let verified) = verdict else { throw StoreFailure(.internalError, "\(verdict)") }
        return verified.contents
    }
}

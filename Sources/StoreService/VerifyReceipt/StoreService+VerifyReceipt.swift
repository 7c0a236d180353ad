// SPDX-License-Identifier: Apache-2.0

import AppReceipts
package import Foundation
package import StoreDomain

/// The judgement of `/verifyReceipt`: whether a receipt is this store's, and
/// the current state of its transactions.
extension StoreService {
    /// Apple's limit for the body of a request: one with one byte more is
    /// answered with 413.
    package static let verifyReceiptLimit = 3_145_728

    /// Verifies a receipt's signature, its certificates and its environment.
    ///
    /// - Throws: ``VerifyReceiptRefusal``; `AppReceiptError` or
    ///   `DatabaseError` when the authority's revocations can't be read.
    package func verify(receipt: Data) async throws -> VerifiedReceipt {
        try await authority.refreshIfStale(now: now.date)
        let verified = try receipt.isTransactionReceipt ? verifyTransactionReceipt(receipt) : verifyAppReceipt(receipt)
        let isProduction = environment == .production
        guard verified.isOfProduction == isProduction else {
            throw VerifyReceiptRefusal(
                status: isProduction ? .sandboxReceipt : .productionReceipt,
                reasons: ["The receipt is of the other environment."])
        }
        return verified
    }

    /// Looks up the current state of a verified receipt's transactions, and of
    /// its subscriptions: all periods or only the newest of each. Transactions
    /// that aren't in the store stay as they are, because receipts are also
    /// made by hand. With `hasPassword` a receipt without a subscription has a history, too.
    ///
    /// - Throws: ``VerifyReceiptRefusal`` when its account was closed,
    ///   `AppReceiptError` when a newer receipt can't be signed,
    ///   `DatabaseError`.
    package func currentState(
        of receipt: VerifiedReceipt, extent: ReceiptHistory.Extent, hasPassword: Bool = false
    ) async throws -> CurrentReceipt {
        switch receipt {
        case .app(let receipt):
            let found = try await LookingUpReceipt(context, authority: authority)(
                receipt, extent: extent, withHistory: hasPassword)
            guard !found.states.values.contains(where: \.isOfClosedAccount) else {
                throw VerifyReceiptRefusal(status: .accountGone, reasons: ["The account is closed."])
            }
            let listed = receipt.inAppPurchases.map { Self.current($0, found) }
            return .app(CurrentAppReceipt(receipt, listed: listed, found, extent))
        case .transaction(let receipt):
            let found = try await LookingUpTransactionReceipt(context, authority: authority)(receipt)
            guard found.state?.isOfClosedAccount != true else {
                throw VerifyReceiptRefusal(status: .accountGone, reasons: ["The account is closed."])
            }
            return .transaction(CurrentTransactionReceipt(receipt, found))
        }
    }

    /// A purchase of a receipt with a later refund. A consumable has no date of a refund, and stays in a receipt that was made
    /// before it was finished: the answer has the receipt that was sent.
    private static func current(
        _ purchase: InAppPurchase, _ found: LookingUpReceipt.Found
    ) -> CurrentAppReceipt.Listed {
        let identifier = TransactionIdentifier(purchase.transactionIdentifier)
        guard let state = found.states[identifier] else { return CurrentAppReceipt.Listed(purchase: purchase) }
        var purchase = purchase
        if state.kind != .consumable {
            purchase.cancellationDate = purchase.cancellationDate ?? state.revoked?.wholeSeconds.date
        }
        return CurrentAppReceipt.Listed(
            purchase: purchase, isShared: state.isShared, cancellationReason: found.reasons[identifier] ?? 0)
    }

    private func verifyAppReceipt(_ receipt: Data) throws -> VerifiedReceipt {
        let verifier = try verifier.current(authority)
        // A seller's server verifies receipts of any app and device.
        let verdict = try VerifyReceiptRefusal.ofMalformed { try verifier.verify(receipt, expecting: .any) }
        switch verdict {
        case .verified(let verified): return .app(verified.contents)
        case .refused(let reasons): throw VerifyReceiptRefusal(status: .notAuthentic, reasons: reasons)
        }
    }

    private func verifyTransactionReceipt(_ receipt: Data) throws -> VerifiedReceipt {
        guard let intermediate = authority.issuingCertificates["intermediate"] else {
            throw VerifyReceiptRefusal(
                status: .internalAccess, reasons: ["The authority has no intermediate certificate."])
        }
        let verifier = TransactionReceiptVerifier(
            roots: [authority.rootCertificate], intermediates: [intermediate],
            revoked: try authority.revokedCertificates)
        let verdict = try VerifyReceiptRefusal.ofMalformed { try verifier.verify(receipt) }
        switch verdict {
        case .verified(let verified): return .transaction(verified.contents)
        case .refused(let reasons): throw VerifyReceiptRefusal(status: .notAuthentic, reasons: reasons)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The customer's own pages of purchases.
extension StoreService {
    /// A page of an account's purchases, newest first.
    ///
    /// - Throws: The errors of `ReadingPurchaseHistory`.
    package func history(
        of account: Account, before last: TransactionIdentifier?
    ) async throws -> ReadingPurchaseHistory.Page {
        try await ReadingPurchaseHistory(context)(of: account.identifier, before: last)
    }

    /// One purchase of an account.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func historyEntry(_ transaction: TransactionIdentifier, of account: Account) async throws -> HistoryEntry {
        try await ReadingPurchaseHistory(context).entry(transaction, of: account.identifier)
    }

    /// Saves a customer's request for a refund.
    ///
    /// - Throws: The errors of `AskingForRefund`.
    package func askForRefund(
        _ transaction: TransactionIdentifier, of account: Account, because reason: RefundRequest.Reason,
        comment: String?
    ) async throws {
        try requireCurrentSchema()
        try await AskingForRefund(context)(
            transaction, of: account.identifier, because: reason, comment: comment)
    }
}

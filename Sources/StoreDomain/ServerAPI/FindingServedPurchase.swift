// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Looks up a purchase of an app for a seller's server.
package struct FindingServedPurchase: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The purchase with a transaction identifier.
    ///
    /// - Throws: ``ServerError``: `transactionNotFound` for a purchase of another app, an unknown
    ///   one, and one of a closed account; `appTransactionNotSupported`; `DatabaseError`.
    package func callAsFunction(
        _ transaction: TransactionIdentifier, in bundleIdentifier: BundleIdentifier
    ) async throws -> Purchase {
        do {
            return try await read { db in try Self.find(transaction, in: bundleIdentifier, db).purchase }
        } catch let error as ServerError where error == .accountNotFound {
            // Only the pages of the histories, of the statuses and of the notification history have accountNotFound.
            throw ServerError.transactionNotFound
        }
    }

    /// The purchase with a transaction identifier, and the time of its
    /// account.
    static func find(
        _ transaction: TransactionIdentifier, in bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> (purchase: Purchase, clock: AccountClock) {
        if try AppTransaction.find(transaction, in: bundleIdentifier, db) != nil {
            throw ServerError.appTransactionNotSupported
        }
        let states = try LookingUpPurchases.states(of: [transaction], in: bundleIdentifier, db)
        guard let state = states[transaction], let purchase = try Purchase.find(transaction, of: state.account, db)
        else { throw ServerError.transactionNotFound }
        guard !state.isOfClosedAccount else { throw ServerError.accountNotFound }
        return (purchase, state.clock)
    }
}

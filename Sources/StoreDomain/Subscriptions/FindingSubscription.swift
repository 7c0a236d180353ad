// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Looks up a subscription by any of its transactions.
package struct FindingSubscription: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The account and the first transaction of a subscription.
    package struct Found: Hashable, Sendable {
        package var account: AccountIdentifier
        package var original: OriginalTransactionIdentifier
    }

    /// The subscription of a transaction.
    ///
    /// - Throws: ``DomainError`` `notFound`, also for a purchase of another
    ///   kind.
    package func callAsFunction(_ transaction: TransactionIdentifier) async throws -> Found {
        let purchase = try await read { db in try Purchase.find(transaction, db) }
        guard let purchase, purchase.kind == .autoRenewable else {
            throw DomainError(
                .notFound, "There is no transaction of a subscription with the number \(transaction).")
        }
        return Found(account: purchase.account, original: purchase.originalTransactionIdentifier)
    }
}

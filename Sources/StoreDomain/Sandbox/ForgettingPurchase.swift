// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Deletes a purchase, in a store inside a test. A store that sells keeps its
/// purchases, and refunds them.
package struct ForgettingPurchase: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Deletes a purchase with its restored transactions, reservation and
    /// ledger entries. Devices are notified to remove it from their queues.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func callAsFunction(_ transaction: TransactionIdentifier) async throws -> Purchase {
        try await write { db in
            guard let purchase = try Purchase.find(transaction, db) else {
                throw DomainError(.notFound, "There is no purchase with the number \(transaction).")
            }
            _ = try UnfinishedTransaction.removeEverywhere(purchase, db)
            for statement in [
                """
                DELETE FROM restored_transaction
                WHERE environment = $1 AND restores_transaction_id = $2 AND account_bucket = $3
                """,
                "DELETE FROM reservation WHERE environment = $1 AND transaction_id = $2 AND bucket = $3",
                "DELETE FROM ledger_entry WHERE environment = $1 AND transaction_id = $2 AND bucket = $3",
                "DELETE FROM purchase WHERE environment = $1 AND transaction_id = $2 AND bucket = $3",
            ] {
                try db.run(statement, [db.environment.rawValue, transaction, purchase.account.bucket])
            }
            _ = try AccountEvent.append(
                .finished, account: purchase.account, bundleIdentifier: purchase.bundleIdentifier,
                transactionIdentifier: transaction, db)
            return purchase
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Deletes a purchase, in a store inside a test or for a tester
/// (``ClearingPurchases``). A store that sells keeps its purchases, and refunds
/// them.
package struct ForgettingPurchase: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Deletes a purchase with its restored transactions, reservation, ledger
    /// entries, the use of an offer, and the redemption of a code. A subscription whose first or newest period it is, is
    /// deleted too: it can't go on. Devices are notified to remove the
    /// transaction from their queues.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func callAsFunction(_ transaction: TransactionIdentifier) async throws -> Purchase {
        let account = try await read { db in try Self.known(transaction, db).account }
        return try await write(for: account) { db in
            let purchase = try Self.known(transaction, db)
            _ = try UnfinishedTransaction.removeEverywhere(purchase, db)
            let original = try Self.lostSubscription(of: purchase, db) ?? OriginalTransactionIdentifier(transaction)
            for statement in [
                """
                DELETE FROM subscription_event
                WHERE environment = $1 AND original_transaction_id = $2 AND bucket = $3
                """,
                "DELETE FROM subscription WHERE environment = $1 AND original_transaction_id = $2 AND bucket = $3",
            ] {
                try db.run(statement, [db.environment.rawValue, original, purchase.account.bucket])
            }
            try UncountedSale.noteDeletion(of: purchase, db)
            try CampaignPurchase.forget(purchase, db)
            for statement in [
                """
                DELETE FROM restored_transaction
                WHERE environment = $1 AND restores_transaction_id = $2 AND account_bucket = $3
                """,
                "DELETE FROM reservation WHERE environment = $1 AND transaction_id = $2 AND bucket = $3",
                "DELETE FROM offer_use WHERE environment = $1 AND transaction_id = $2 AND bucket = $3",
                "DELETE FROM code_redemption WHERE environment = $1 AND transaction_id = $2 AND bucket = $3",
                "DELETE FROM item_purchase WHERE environment = $1 AND transaction_id = $2 AND bucket = $3",
                "DELETE FROM ledger_entry WHERE environment = $1 AND transaction_id = $2 AND bucket = $3",
                "DELETE FROM purchase WHERE environment = $1 AND transaction_id = $2 AND bucket = $3",
            ] {
                try db.run(statement, [db.environment.rawValue, transaction, purchase.account.bucket])
            }
            try SharingWork.note(purchase, db)
            _ = try AccountEvent.append(
                .forgotten, account: purchase.account, bundleIdentifier: purchase.bundleIdentifier,
                transactionIdentifier: transaction, db)
            return purchase
        }
    }

    private static func known(_ transaction: TransactionIdentifier, _ db: StoreTransaction) throws -> Purchase {
        guard let purchase = try Purchase.find(transaction, db) else {
            throw DomainError(.notFound, "There is no purchase with the number \(transaction).")
        }
        return purchase
    }

    /// The subscription that can't go on without a period, whose authorised
    /// amount is released; `nil` when there is none.
    private static func lostSubscription(
        of purchase: Purchase, _ db: StoreTransaction
    ) throws -> OriginalTransactionIdentifier? {
        guard purchase.kind == .autoRenewable,
            let subscription = try Subscription.find(
                purchase.originalTransactionIdentifier, of: purchase.account, db),
            let state = subscription.newestState,
            purchase.isOriginal || state.period.transaction == purchase.transactionIdentifier
        else { return nil }
        try Subscription.release(state.authorised, of: purchase.account, db)
        return subscription.original
    }
}

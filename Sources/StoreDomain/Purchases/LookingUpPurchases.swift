// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Looks up the current state of the transactions in a receipt, for a
/// seller's server that verifies the receipt later.
package struct LookingUpPurchases: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The current state of a transaction.
    package struct State: Hashable, Sendable {
        /// Whether a receipt that is issued now would list it: consumables
        /// leave the receipt once they are finished.
        package var isInReceipt: Bool
        /// When it was refunded.
        package var revoked: StoreTime?
        /// Whether its account was closed.
        package var isOfClosedAccount: Bool
    }

    /// Returns the states by transaction identifier. Transactions that don't
    /// exist, or that belong to another app, are left out.
    package func callAsFunction(_ transactions: [TransactionIdentifier], of bundleIdentifier: BundleIdentifier)
        async throws -> [TransactionIdentifier: State]
    {
        // No identifier of this store has a NUL, which no database accepts.
        let asked = transactions.filter { !$0.rawValue.utf8.contains(0) }
        guard !asked.isEmpty else { return [:] }
        return try await read { db in
            var states: [TransactionIdentifier: State] = [:]
            for batch in Self.statement.batches(of: asked) {
                for row in try db.rows(batch.sql, [db.environment.rawValue] + batch.values)
                where try row.get("bundle_id") == bundleIdentifier {
                    states[try row.get("transaction_id")] = try State(row)
                }
            }
            return states
        }
    }

    private static let statement = BatchedStatement(firstPlace: 2) { list in
        """
        SELECT purchase.transaction_id, purchase.bundle_id, purchase.is_in_receipt, purchase.revoked_at,
            account.closed_at
        FROM purchase JOIN account
            ON account.environment = purchase.environment AND account.account_id = purchase.account_id
        WHERE purchase.environment = $1 AND purchase.transaction_id IN (\(list))
        """
    }
}

extension LookingUpPurchases.State {
    fileprivate init(_ row: Row) throws {
        let revoked: Int64? = try row.get("revoked_at")
        let closed: Int64? = try row.get("closed_at")
        self.init(
            isInReceipt: try row.get("is_in_receipt"), revoked: revoked.map(StoreTime.init(milliseconds:)),
            isOfClosedAccount: closed != nil)
    }
}

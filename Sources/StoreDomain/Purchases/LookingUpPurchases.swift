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
            for start in stride(from: 0, to: asked.count, by: Self.batch) {
                let batch = asked[start..<min(start + Self.batch, asked.count)]
                try Self.read(batch, of: bundleIdentifier, db, into: &states)
            }
            return states
        }
    }

    /// The number of transactions that one statement looks up.
    private static let batch = 100
    private static let one = sql(count: 1)
    private static let many = sql(count: batch)

    private static func sql(count: Int) -> String {
        """
        SELECT purchase.transaction_id, purchase.is_in_receipt, purchase.revoked_at, account.closed_at
        FROM purchase JOIN account
            ON account.environment = purchase.environment AND account.account_id = purchase.account_id
        WHERE purchase.environment = $1 AND purchase.bundle_id = $2
            AND purchase.transaction_id IN (\((3..<3 + count).map { "$\($0)" }.joined(separator: ", ")))
        """
    }

    private static func read(
        _ batch: ArraySlice<TransactionIdentifier>, of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction,
        into states: inout [TransactionIdentifier: State]
    ) throws {
        // Only two SQL texts, because engines cache prepared statements by
        // their text: a shorter batch is padded with its first identifier.
        let isOne = batch.count == 1
        let padding = isOne ? [] : Array(repeating: batch[batch.startIndex], count: Self.batch - batch.count)
        let rows = try db.rows(
            isOne ? one : many, [db.environment.rawValue, bundleIdentifier] + Array(batch) + padding)
        for row in rows {
            let revoked: Int64? = try row.get("revoked_at")
            let closed: Int64? = try row.get("closed_at")
            states[try row.get("transaction_id")] = State(
                isInReceipt: try row.get("is_in_receipt"), revoked: revoked.map(StoreTime.init(milliseconds:)),
                isOfClosedAccount: closed != nil)
        }
    }
}

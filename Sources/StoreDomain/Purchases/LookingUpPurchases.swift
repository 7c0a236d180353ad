// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Says what became of transactions since they were put into a receipt, for a
/// seller's server that asks about the receipt later.
package struct LookingUpPurchases: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// What became of a transaction.
    package struct State: Hashable, Sendable {
        /// Whether a receipt of now would still list it: consumables leave
        /// once they are finished.
        package var isInReceipt: Bool
        /// When it was refunded.
        package var revoked: Instant?
        /// Whether its account was closed.
        package var isOfClosedAccount: Bool
    }

    /// The states by transaction identifier. Transactions that the store has
    /// never heard of, or that are another app's, are left out.
    package func callAsFunction(
        _ transactions: [String], of bundleIdentifier: String
    ) async throws -> [String: State] {
        // No identifier of ours has a NUL, which no database takes.
        let asked = transactions.filter { !$0.utf8.contains(0) }
        guard !asked.isEmpty else { return [:] }
        return try await database.read { [environment] connection in
            var states: [String: State] = [:]
            for start in stride(from: 0, to: asked.count, by: Self.batch) {
                let batch = asked[start..<min(start + Self.batch, asked.count)]
                try Self.read(batch, of: bundleIdentifier, environment, connection, into: &states)
            }
            return states
        }
    }

    /// How many are looked up at once.
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
        _ batch: ArraySlice<String>, of bundleIdentifier: String, _ environment: StoreEnvironment,
        _ connection: any Connection, into states: inout [String: State]
    ) throws {
        // Two texts, whatever the number, because engines keep what they have
        // prepared: the rest of a batch repeats its first one.
        let isOne = batch.count == 1
        let padding = isOne ? [] : Array(repeating: batch[batch.startIndex], count: Self.batch - batch.count)
        let rows = try connection.rows(
            isOne ? one : many, [environment.rawValue, bundleIdentifier] + Array(batch) + padding)
        for row in rows {
            let revoked: Int64? = try row.get("revoked_at")
            let closed: Int64? = try row.get("closed_at")
            states[try row.get("transaction_id")] = State(
                isInReceipt: try row.get("is_in_receipt"), revoked: revoked.map(Instant.init(milliseconds:)),
                isOfClosedAccount: closed != nil)
        }
    }
}

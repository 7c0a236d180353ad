// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Looks up the current state of the transactions in a receipt, for a
/// seller's server that verifies the receipt later.
package enum LookingUpPurchases {
    /// The current state of a transaction.
    package struct State: Hashable, Sendable {
        /// The account that has bought it.
        package var account: AccountIdentifier
        /// The account's time.
        package var clock: AccountClock
        /// The product's kind at the time of the purchase.
        package var kind: Product.Kind
        /// Whether the account has it from another member of its family.
        package var isShared: Bool
        /// When it was refunded.
        package var revoked: StoreTime?
        /// Whether its account was closed.
        package var isOfClosedAccount: Bool
    }

    /// Returns the states by transaction identifier. Transactions that don't
    /// exist, or that belong to another app, are left out.
    static func states(
        of transactions: [TransactionIdentifier], in bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [TransactionIdentifier: State] {
        // No identifier of this store has a NUL, which no database accepts.
        let asked = transactions.filter { !$0.rawValue.utf8.contains(0) }
        var states: [TransactionIdentifier: State] = [:]
        // The identifiers of a receipt have one bucket, that of its account,
        // and those of older versions have none.
        for (bucket, identifiers) in Dictionary(grouping: asked, by: \.bucket) {
            let statement = bucket == nil ? Self.statement : Self.statementOfBucket
            let scope: [any DatabaseValueConvertible] = [db.environment.rawValue] + (bucket.map { [$0] } ?? [])
            for batch in statement.batches(of: identifiers) {
                for row in try db.rows(batch.sql, scope + batch.values)
                where try row.get("bundle_id") == bundleIdentifier {
                    states[try row.get("transaction_id")] = try State(row)
                }
            }
        }
        return states
    }

    private static let statement = BatchedStatement(firstPlace: 2) { list in
        """
        SELECT \(columns)
        FROM purchase JOIN account
            ON account.environment = purchase.environment AND account.account_id = purchase.account_id
            AND account.bucket = purchase.bucket
        WHERE purchase.environment = $1 AND purchase.transaction_id IN (\(list))
        """
    }

    private static let statementOfBucket = BatchedStatement(firstPlace: 3) { list in
        """
        SELECT \(columns)
        FROM purchase JOIN account
            ON account.environment = purchase.environment AND account.account_id = purchase.account_id
            AND account.bucket = purchase.bucket
        WHERE purchase.environment = $1 AND purchase.bucket = $2 AND purchase.transaction_id IN (\(list))
        """
    }

    private static let columns = """
        purchase.transaction_id, purchase.account_id, purchase.bundle_id, purchase.kind, purchase.shared_by,
        purchase.revoked_at, account.closed_at, account.clock_offset, account.renewal_speed
        """
}

extension LookingUpPurchases.State {
    fileprivate init(_ row: Row) throws {
        let revoked: Int64? = try row.get("revoked_at")
        let closed: Int64? = try row.get("closed_at")
        let owner: String? = try row.get("shared_by")
        self.init(
            account: try row.get("account_id"), clock: try AccountClock(row),
            kind: Product.Kind(rawValue: try row.get("kind")), isShared: owner != nil,
            revoked: revoked.map(StoreTime.init(milliseconds:)),
            isOfClosedAccount: closed != nil)
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension Lease.Work {
    fileprivate var table: String {
        switch self {
        case .payment: "payment"
        case .refund: "refund"
        case .subscription: "subscription"
        case .priceChange: "price_change"
        case .sharing: "family_sharing"
        }
    }

    fileprivate var key: String {
        switch self {
        case .payment: "payment_number"
        case .refund: "refund_id"
        case .subscription: "original_transaction_id"
        case .priceChange: "change_id"
        case .sharing: "account_id"
        }
    }
}

extension Lease {
    /// Takes those of the leases that have run out or were never taken; one
    /// statement for a hundred.
    ///
    /// - Returns: The keys of the taken leases, in the order of `keys`.
    static func take(_ work: Work, _ keys: [String], _ db: StoreTransaction) throws -> [String] {
        let statement = BatchedStatement(firstPlace: 5) {
            """
            UPDATE \(work.table) SET lease_owner = $2, leased_until = wall_now($3) + $4
            WHERE environment = $1 AND \(work.key) IN (\($0)) AND leased_until <= wall_now($3)
            RETURNING \(work.key) AS leased
            """
        }
        var taken: Set<String> = []
        for batch in statement.batches(of: keys) {
            for row in try db.rows(batch.sql, owned(db) + batch.values) { taken.insert(try row.get("leased")) }
        }
        return keys.filter(taken.contains)
    }

    /// Makes leases of this process last longer. Those that another process
    /// has taken meanwhile stay that process's.
    static func renew(_ work: Work, _ keys: [String], _ db: StoreTransaction) throws {
        let statement = BatchedStatement(firstPlace: 5) {
            """
            UPDATE \(work.table) SET leased_until = wall_now($3) + $4
            WHERE environment = $1 AND \(work.key) IN (\($0)) AND lease_owner = $2
            """
        }
        for batch in statement.batches(of: keys) { try db.run(batch.sql, owned(db) + batch.values) }
    }

    /// Gives back leases of this process.
    static func release(_ work: Work, _ keys: [String], _ db: StoreTransaction) throws {
        let statement = BatchedStatement(firstPlace: 3) {
            """
            UPDATE \(work.table) SET leased_until = 0
            WHERE environment = $1 AND \(work.key) IN (\($0)) AND lease_owner = $2
            """
        }
        for batch in statement.batches(of: keys) {
            try db.run(batch.sql, [db.environment.rawValue, db.leaseOwner] + batch.values)
        }
    }

    /// Ends the leases of all other processes on rows whose work is due.
    static func releaseOthers(_ db: StoreTransaction) throws {
        let arguments: [any DatabaseValueConvertible] = [db.environment.rawValue, db.leaseOwner]
        try db.run(
            """
            UPDATE payment SET leased_until = 0
            WHERE environment = $1 AND status IN ('reserved', 'committed', 'voiding') AND leased_until > 0
                AND COALESCE(lease_owner, '') <> $2
            """, arguments)
        try db.run(
            """
            UPDATE payment SET leased_until = 0
            WHERE environment = $1 AND status = 'pending' AND leased_until > 0 AND COALESCE(lease_owner, '') <> $2
            """, arguments)
        try db.run(
            """
            UPDATE refund SET leased_until = 0
            WHERE environment = $1 AND status IN ('due', 'reversing') AND leased_until > 0 AND COALESCE(lease_owner, '') <> $2
            """, arguments)
        try db.run(
            """
            UPDATE subscription SET leased_until = 0
            WHERE environment = $1 AND due_at IS NOT NULL AND due_at <= $3 AND leased_until > 0
                AND COALESCE(lease_owner, '') <> $2
            """, arguments + [db.now.milliseconds])
        try db.run(
            """
            UPDATE price_change SET leased_until = 0
            WHERE environment = $1 AND finished_at IS NULL AND starts_at <= $3 AND leased_until > 0
                AND COALESCE(lease_owner, '') <> $2
            """, arguments + [db.now.milliseconds])
        try db.run(
            """
            UPDATE family_sharing SET leased_until = 0
            WHERE environment = $1 AND done < revision AND leased_until > 0 AND COALESCE(lease_owner, '') <> $2
            """, arguments)
        try db.run("DELETE FROM notification_turn WHERE environment = $1 AND owner <> $2", arguments)
    }

    private static func owned(_ db: StoreTransaction) -> [any DatabaseValueConvertible] {
        [db.environment.rawValue, db.leaseOwner, db.now.milliseconds, db.leaseDuration.milliseconds]
    }
}

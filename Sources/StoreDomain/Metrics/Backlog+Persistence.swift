// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Backlog {
    /// Makes a backlog of the columns `n` and `oldest`.
    init(_ row: Row?) throws {
        let oldest: Int64? = try row?.get("oldest")
        self.init(count: try row?.get("n") ?? 0, oldest: oldest.map(WallTime.init(milliseconds:)))
    }
}

extension LeaseCount {
    /// The leases of all kinds. The conditions are those of the indexes
    /// `payment_open`, `refund_due`, `subscription_due`, `price_change_due` and
    /// `family_sharing_due`, so that the engine reads no other rows. A lease that was given back ends at 0.
    static func all(_ db: StoreTransaction) throws -> [Kind: LeaseCount] {
        let counts = """
            CAST(COALESCE(SUM(CASE WHEN leased_until > wall_now($2) THEN 1 ELSE 0 END), 0) AS BIGINT) AS held,
                CAST(COALESCE(SUM(CASE WHEN leased_until > 0 THEN 1 ELSE 0 END), 0) AS BIGINT) AS taken
            """
        let rows = try db.rows(
            """
            SELECT 'payments' AS work, \(counts) FROM payment
            WHERE environment = $1 AND status IN ('reserved', 'committed', 'voiding')
            UNION ALL
            SELECT 'refunds', \(counts) FROM refund
                WHERE environment = $1 AND status IN ('due', 'reversing')
            UNION ALL
            SELECT 'renewals', \(counts) FROM subscription
            WHERE environment = $1 AND due_at IS NOT NULL AND due_at <= $2
            UNION ALL
            SELECT 'price_changes', \(counts) FROM price_change
            WHERE environment = $1 AND finished_at IS NULL AND starts_at <= $2
            UNION ALL
            SELECT 'sharing', \(counts) FROM family_sharing WHERE environment = $1 AND done < revision
            """, [db.environment.rawValue, db.now.milliseconds])
        return try rows.reduce(into: [:]) { found, row in
            guard let kind = Kind(rawValue: try row.get("work")) else { return }
            let (held, taken): (Int, Int) = (try row.get("held"), try row.get("taken"))
            found[kind] = LeaseCount(held: held, expired: taken - held)
        }
    }
}

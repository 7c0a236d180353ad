// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension RemovedKeyValues {
    /// The number of the newest event whose removals were deleted; 0 when
    /// none were.
    static func pruned(_ account: AccountIdentifier, _ bundleIdentifier: BundleIdentifier, _ db: StoreTransaction)
        throws -> Int64
    {
        let row = try db.row(
            """
            SELECT event_number FROM key_value_pruned
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $4
            """, [db.environment.rawValue, account, bundleIdentifier, account.bucket])
        return try row?.get("event_number") ?? 0
    }

    /// Deletes the removals of the oldest events, so that at most `limit`
    /// stay.
    static func prune(
        _ account: AccountIdentifier, _ bundleIdentifier: BundleIdentifier, keeping limit: Int, _ db: StoreTransaction
    ) throws {
        let newest = try db.row(
            """
            SELECT event_number FROM key_value
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $5 AND value IS NULL
            ORDER BY event_number DESC LIMIT 1 OFFSET $4
            """, [db.environment.rawValue, account, bundleIdentifier, limit, account.bucket])
        guard let number: Int64 = try newest?.get("event_number") else { return }
        try db.run(
            """
            DELETE FROM key_value
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $5 AND value IS NULL
                AND event_number <= $4
            """, [db.environment.rawValue, account, bundleIdentifier, number, account.bucket])
        try note(number, account, bundleIdentifier, db)
    }

    /// Records that removals of an event were deleted, unless a newer event
    /// is recorded.
    private static func note(
        _ number: Int64, _ account: AccountIdentifier, _ bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws {
        try db.run(
            """
            INSERT INTO key_value_pruned (environment, account_id, bundle_id, event_number, bucket)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (environment, account_id, bundle_id, bucket) DO UPDATE SET event_number = excluded.event_number
            WHERE excluded.event_number > key_value_pruned.event_number
            """, [db.environment.rawValue, account, bundleIdentifier, number, account.bucket])
    }

    /// Deletes one removal that was made before `limit`, and returns whether
    /// it still existed.
    static func delete(
        _ key: String, _ account: AccountIdentifier, _ bundleIdentifier: BundleIdentifier, before limit: WallTime,
        _ db: StoreTransaction
    ) throws -> Bool {
        let row = try db.row(
            """
            DELETE FROM key_value
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND key_name = $4 AND bucket = $6
                AND value IS NULL AND removed_at < $5
            RETURNING event_number
            """, [db.environment.rawValue, account, bundleIdentifier, key, limit.milliseconds, account.bucket])
        guard let row else { return false }
        try note(try row.get("event_number"), account, bundleIdentifier, db)
        return true
    }
}

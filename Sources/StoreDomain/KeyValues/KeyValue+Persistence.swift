// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

extension KeyValue {
    static func find(
        _ key: String, account: AccountIdentifier, bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> KeyValue {
        let row = try db.row(
            """
            SELECT value FROM key_value
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND key_name = $4 AND bucket = $5
            """, [db.environment.rawValue, account, bundleIdentifier, key, account.bucket])
        return KeyValue(key: key, value: try row?.get("value"))
    }

    /// All keys that have a value, in their order.
    static func all(account: AccountIdentifier, bundleIdentifier: BundleIdentifier, _ db: StoreTransaction) throws
        -> [KeyValue]
    {
        try db.rows(
            """
            SELECT key_name, value FROM key_value
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $4 AND value IS NOT NULL
            ORDER BY key_name
            """, [db.environment.rawValue, account, bundleIdentifier, account.bucket]
        ).map { KeyValue(key: try $0.get("key_name"), value: try $0.get("value")) }
    }

    /// The values that were written after an event, including removed keys,
    /// in order of the keys.
    static func written(
        after number: Int64, account: AccountIdentifier, bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [KeyValue] {
        try db.rows(
            """
            SELECT key_name, value FROM key_value
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $5 AND event_number > $4
            ORDER BY key_name
            """, [db.environment.rawValue, account, bundleIdentifier, number, account.bucket]
        ).map { KeyValue(key: try $0.get("key_name"), value: try $0.get("value")) }
    }

    static func usage(
        account: AccountIdentifier, bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> Usage {
        let row = try db.row(
            """
            SELECT count(value) AS n, CAST(COALESCE(SUM(value_bytes), 0) AS BIGINT) AS bytes FROM key_value
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $4
            """, [db.environment.rawValue, account, bundleIdentifier, account.bucket])
        return Usage(keys: try row?.get("n") ?? 0, bytes: try row?.get("bytes") ?? 0)
    }

    func save(
        account: AccountIdentifier, bundleIdentifier: BundleIdentifier, eventNumber: Int64, _ db: StoreTransaction
    ) throws {
        try db.run(
            """
            INSERT INTO key_value (environment, account_id, bundle_id, key_name, value, value_bytes, event_number,
                removed_at, bucket)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (environment, account_id, bundle_id, key_name, bucket) DO UPDATE SET
                value = excluded.value, value_bytes = excluded.value_bytes, event_number = excluded.event_number,
                removed_at = excluded.removed_at
            """,
            [
                db.environment.rawValue, account, bundleIdentifier, key, value, bytes, eventNumber,
                value == nil ? db.now.milliseconds : nil, account.bucket,
            ])
    }

    /// Deletes all values that apps stored for an account.
    static func deleteAll(of account: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM key_value WHERE environment = $1 AND account_id = $2 AND bucket = $3",
            [db.environment.rawValue, account, account.bucket])
        try db.run(
            "DELETE FROM key_value_pruned WHERE environment = $1 AND account_id = $2 AND bucket = $3",
            [db.environment.rawValue, account, account.bucket])
    }
}

/// The writes of a device that the store has received.
enum KeyValueWriter {
    /// The number of the last write that the store received; 0 before the
    /// first.
    static func last(of device: DeviceIdentifier, bundleIdentifier: BundleIdentifier, _ db: StoreTransaction) throws
        -> Int64
    {
        let row = try db.row(
            "SELECT sequence FROM key_value_writer WHERE environment = $1 AND device_id = $2 AND bundle_id = $3",
            [db.environment.rawValue, device, bundleIdentifier])
        return try row?.get("sequence") ?? 0
    }

    static func note(
        _ sequence: Int64, of device: DeviceIdentifier, bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws {
        try db.run(
            """
            INSERT INTO key_value_writer (environment, device_id, bundle_id, sequence) VALUES ($1, $2, $3, $4)
            ON CONFLICT (environment, device_id, bundle_id) DO UPDATE SET sequence = excluded.sequence
            """, [db.environment.rawValue, device, bundleIdentifier, sequence])
    }
}

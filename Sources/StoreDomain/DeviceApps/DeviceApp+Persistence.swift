// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension DeviceApp {
    /// Whether the use was recorded within ``recordingInterval``. A time in
    /// the future was written by a wrong clock.
    func isRecorded(_ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM device_app
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND device_id = $4 AND bucket = $5
                AND last_seen_at > $6 AND last_seen_at < $7
            """,
            [
                db.environment.rawValue, account, bundleIdentifier, device, account.bucket,
                (db.now - Self.recordingInterval).milliseconds, (db.now + Self.recordingInterval).milliseconds,
            ]) != nil
    }

    /// Whether the account has used the app on the device, and its use isn't
    /// deleted yet.
    func exists(_ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM device_app
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND device_id = $4 AND bucket = $5
            """, [db.environment.rawValue, account, bundleIdentifier, device, account.bucket]) != nil
    }

    /// Records that the app was used now. The time of the first use stays.
    func record(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO device_app (environment, account_id, bundle_id, device_id, bucket, first_seen_at, last_seen_at)
            VALUES ($1, $2, $3, $4, $5, $6, $6)
            ON CONFLICT (environment, account_id, bundle_id, device_id, bucket) DO UPDATE SET
                last_seen_at = excluded.last_seen_at
            """, [db.environment.rawValue, account, bundleIdentifier, device, account.bucket, db.now.milliseconds])
    }

    /// When an account used an app for the first time; `nil` when no use is
    /// recorded.
    static func firstUse(
        of bundleIdentifier: BundleIdentifier, account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> WallTime? {
        let row = try db.row(
            """
            SELECT min(first_seen_at) AS first FROM device_app
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $4
            """, [db.environment.rawValue, account, bundleIdentifier, account.bucket])
        let first: Int64? = try row?.get("first")
        return first.map(WallTime.init(milliseconds:))
    }

    /// Deletes the uses of an account that is closed.
    static func deleteAll(of account: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM device_app WHERE environment = $1 AND account_id = $2 AND bucket = $3",
            [db.environment.rawValue, account, account.bucket])
    }

    /// The devices on which the account is signed in and has used the app
    /// after `seen`, the last used first, at most a hundred.
    static func users(
        of bundleIdentifier: BundleIdentifier, account: AccountIdentifier,
        seenAfter seen: WallTime = WallTime(milliseconds: .min), _ db: StoreTransaction
    ) throws -> [DeviceIdentifier] {
        try db.rows(
            """
            SELECT device_app.device_id FROM device_app JOIN device
                ON device.environment = device_app.environment AND device.device_id = device_app.device_id
            WHERE device_app.environment = $1 AND device_app.account_id = $2 AND device_app.bundle_id = $3
                AND device_app.bucket = $5 AND device_app.last_seen_at > $4 AND device.account_id = $2
            ORDER BY device_app.last_seen_at DESC, device_app.device_id LIMIT 100
            """, [db.environment.rawValue, account, bundleIdentifier, seen.milliseconds, account.bucket]
        ).map { try $0.get("device_id") }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// A device's registration, and the account that is signed in on it.
extension Device {
    /// The part of a device's row by which its calls are authenticated.
    struct Registration: Sendable {
        /// The hash of the device's secret.
        var secretHash: String
        /// The last call, as far as it is recorded.
        var seen: WallTime?
    }

    /// A device's registration; `nil` for a device that isn't registered.
    static func registration(of device: DeviceIdentifier, _ db: StoreTransaction) throws
        -> Registration?
    {
        try db.row(
            "SELECT secret_hash, seen_at FROM device WHERE environment = $1 AND device_id = $2",
            [db.environment.rawValue, device]
        ).map { row in
            let seen: Int64? = try row.get("seen_at")
            return Registration(
                secretHash: try row.get("secret_hash"), seen: seen.map(WallTime.init(milliseconds:)))
        }
    }

    /// Records the time of the device's last call.
    static func noteCall(of device: DeviceIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            "UPDATE device SET seen_at = $3 WHERE environment = $1 AND device_id = $2",
            [db.environment.rawValue, device, db.now.milliseconds])
    }

    /// Deletes the rows of a device whose last call was before
    /// `limit`: a batch of its queue, or with the rest its sign-in, its count
    /// of writes, and the device itself if no request is left.
    ///
    /// - Returns: The number of rows that were deleted, and whether the
    ///   device has to be passed again.
    static func forget(_ device: DeviceIdentifier, before limit: WallTime, _ db: StoreTransaction) throws
        -> (deleted: Int, hasMore: Bool)
    {
        let arguments: [any DatabaseValueConvertible] = [db.environment.rawValue, device, limit.milliseconds]
        let found = try db.row(
            "SELECT 1 AS one FROM device WHERE environment = $1 AND device_id = $2 AND seen_at < $3", arguments)
        guard found != nil else { return (0, false) }
        let entries = try UnfinishedTransaction.entries(on: device, limit: DeletingOldRows.batch, db)
        for entry in entries {
            try UnfinishedTransaction.remove(entry.transaction, in: entry.bucket, from: device, db)
        }
        guard entries.count < DeletingOldRows.batch else { return (entries.count, true) }
        // Not news: a device that is lost has no stream.
        try db.run(
            """
            UPDATE device SET account_id = NULL, account_bucket = NULL
            WHERE environment = $1 AND device_id = $2 AND account_id IS NOT NULL
            """, [db.environment.rawValue, device])
        let writers = try db.run(
            "DELETE FROM key_value_writer WHERE environment = $1 AND device_id = $2", [db.environment.rawValue, device])
        let devices = try db.run(
            """
            DELETE FROM device WHERE environment = $1 AND device_id = $2 AND seen_at < $3
                AND NOT EXISTS (
                    SELECT 1 FROM request WHERE request.environment = $1 AND request.device_id = $2)
            """, arguments)
        return (entries.count + writers + devices, false)
    }

    static func insert(_ device: DeviceIdentifier, secretHash: String, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO device (environment, device_id, secret_hash, account_id, created_at, seen_at)
            VALUES ($1, $2, $3, NULL, $4, $4)
            ON CONFLICT (environment, device_id) DO NOTHING
            """, [db.environment.rawValue, device, secretHash, db.now.milliseconds])
    }

    /// Registers a device that can't call the store, and records its use.
    static func use(withoutSecret device: DeviceIdentifier, _ db: StoreTransaction) throws {
        try insert(device, secretHash: noSecret, db)
        try noteCall(of: device, db)
    }

    static func signedInAccount(on device: DeviceIdentifier, _ db: StoreTransaction) throws -> Account? {
        try db.row(
            """
            SELECT \(Account.columns)
            FROM device JOIN account
                ON account.environment = device.environment AND account.account_id = device.account_id
                AND account.bucket = device.account_bucket
            WHERE device.environment = $1 AND device.device_id = $2
            """, [db.environment.rawValue, device]
        ).map(Account.init)
    }

    /// Devices on which an account is signed in, at most a thousand.
    static func some(of account: AccountIdentifier, _ db: StoreTransaction) throws -> [DeviceIdentifier] {
        try db.rows(
            "SELECT device_id FROM device WHERE environment = $1 AND account_id = $2 LIMIT 1000",
            [db.environment.rawValue, account]
        ).map { try $0.get("device_id") }
    }

    /// The devices on which an account is signed in, without those of the
    /// store's pages and of the remote control, the last used first, at most a
    /// hundred.
    static func list(of account: AccountIdentifier, _ db: StoreTransaction) throws -> [AccountDevice] {
        let uses = try db.rows(
            """
            SELECT device_id, bundle_id, last_seen_at FROM device_app
            WHERE environment = $1 AND account_id = $2 AND bucket = $3
            ORDER BY bundle_id, device_id
            """, [db.environment.rawValue, account, account.bucket]
        ).map { (try $0.get("device_id") as DeviceIdentifier, $0) }
        let usesOfDevices = Dictionary(grouping: uses, by: \.0)
        return try db.rows(
            """
            SELECT device_id, created_at, seen_at FROM device
            WHERE environment = $1 AND account_id = $2 AND secret_hash <> $3
            ORDER BY seen_at DESC, device_id LIMIT 100
            """, [db.environment.rawValue, account, noSecret]
        ).map { row in
            let device: DeviceIdentifier = try row.get("device_id")
            let uses = usesOfDevices[device, default: []].map(\.1)
            let called: Int64? = try row.get("seen_at")
            let times = try [called].compactMap(\.self) + uses.map { try $0.get("last_seen_at") as Int64 }
            return AccountDevice(
                identifier: device, registered: WallTime(milliseconds: try row.get("created_at")),
                seen: times.max().map(WallTime.init(milliseconds:)), apps: try uses.map { try $0.get("bundle_id") })
        }.sorted { ($0.seen?.milliseconds ?? 0) > ($1.seen?.milliseconds ?? 0) }
    }

    /// Signs an account out on all of its devices.
    static func signOutAll(of account: AccountIdentifier, _ db: StoreTransaction) throws {
        let signedOut = try db.rows(
            """
            UPDATE device SET account_id = NULL, account_bucket = NULL, news_number = news_number + 1
            WHERE environment = $1 AND account_id = $2 RETURNING device_id, news_number
            """, [db.environment.rawValue, account])
        for row in signedOut { try DeviceNews.appendSignIn(row, of: try row.get("device_id"), db) }
    }

    /// Signs a device in, or out with `nil`. One that acts for an account
    /// stays with it.
    ///
    /// The caller ensures, in the same transaction, that the account is open.
    static func setAccount(_ account: AccountIdentifier?, on device: DeviceIdentifier, _ db: StoreTransaction) throws {
        let before: AccountIdentifier? = try db.row(
            "SELECT account_id FROM device WHERE environment = $1 AND device_id = $2",
            [db.environment.rawValue, device]
        )?.get("account_id")
        guard before != account, !actsForAnother(device, than: account) else { return }
        let row = try db.row(
            """
            UPDATE device SET account_id = $3, account_bucket = $4, news_number = news_number + 1
            WHERE environment = $1 AND device_id = $2 RETURNING news_number
            """, [db.environment.rawValue, device, account, account?.bucket])
        try DeviceNews.appendSignIn(row, of: device, db)
    }
}

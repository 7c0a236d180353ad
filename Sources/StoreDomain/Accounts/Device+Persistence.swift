// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// A device's registration, and the account that is signed in on it.
extension Device {
    static func secretHash(of device: DeviceIdentifier, _ db: StoreTransaction) throws -> String? {
        try db.row(
            "SELECT secret_hash FROM device WHERE environment = $1 AND device_id = $2",
            [db.environment.rawValue, device]
        )?.get("secret_hash")
    }

    static func insert(_ device: DeviceIdentifier, secretHash: String, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO device (environment, device_id, secret_hash, account_id, created_at)
            VALUES ($1, $2, $3, NULL, $4)
            ON CONFLICT (environment, device_id) DO NOTHING
            """, [db.environment.rawValue, device, secretHash, db.now.milliseconds])
    }

    static func signedInAccount(on device: DeviceIdentifier, _ db: StoreTransaction) throws -> Account? {
        try db.row(
            """
            SELECT \(Account.columns)
            FROM device JOIN account
                ON account.environment = device.environment AND account.account_id = device.account_id
            WHERE device.environment = $1 AND device.device_id = $2
            """, [db.environment.rawValue, device]
        ).map(Account.init)
    }

    /// Signs a device in, or out with `nil`. Returns whether the account
    /// changed.
    ///
    /// The caller ensures, in the same transaction, that the account is open.
    static func setAccount(_ account: AccountIdentifier?, on device: DeviceIdentifier, _ db: StoreTransaction) throws
        -> Bool
    {
        let before: AccountIdentifier? = try db.row(
            "SELECT account_id FROM device WHERE environment = $1 AND device_id = $2",
            [db.environment.rawValue, device]
        )?.get("account_id")
        guard before != account else { return false }
        try db.run(
            "UPDATE device SET account_id = $3 WHERE environment = $1 AND device_id = $2",
            [db.environment.rawValue, device, account])
        return true
    }
}

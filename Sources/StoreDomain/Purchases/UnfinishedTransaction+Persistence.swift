// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// An unfinished transaction in a device's queue.
package struct UnfinishedTransaction: Hashable, Sendable {
    package var purchase: Purchase
    /// The identifier of the device's request that it answers; `nil` for a
    /// purchase that the app didn't ask for.
    package var requestIdentifier: String?
    package var eventNumber: Int64

    static func insert(
        _ purchase: Purchase, for device: DeviceIdentifier, requestIdentifier: String?, eventNumber: Int64,
        _ environment: StoreEnvironment, _ connection: any Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO queue_entry (environment, device_id, transaction_id, account_id, bundle_id, request_id,
                event_number)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                environment.rawValue, device.rawValue, purchase.transactionIdentifier, purchase.account,
                purchase.bundleIdentifier, requestIdentifier, eventNumber,
            ])
    }

    /// The unfinished transactions on a device for one app and the account
    /// that is signed in, in order of their events.
    static func unfinished(
        on device: DeviceIdentifier, bundleIdentifier: String, account: String, _ environment: StoreEnvironment,
        _ connection: any Connection
    ) throws -> [UnfinishedTransaction] {
        try connection.rows(
            """
            SELECT transaction_id, request_id, event_number FROM queue_entry
            WHERE environment = $1 AND device_id = $2 AND bundle_id = $3 AND account_id = $4
            ORDER BY event_number
            """, [environment.rawValue, device.rawValue, bundleIdentifier, account]
        ).compactMap { try entry($0, environment, connection) }
    }

    static func find(
        _ transaction: String, on device: DeviceIdentifier, _ environment: StoreEnvironment,
        _ connection: any Connection
    ) throws -> UnfinishedTransaction? {
        try connection.row(
            """
            SELECT transaction_id, request_id, event_number FROM queue_entry
            WHERE environment = $1 AND device_id = $2 AND transaction_id = $3
            """, [environment.rawValue, device.rawValue, transaction]
        ).flatMap { try entry($0, environment, connection) }
    }

    private static func entry(_ row: Row, _ environment: StoreEnvironment, _ connection: any Connection) throws
        -> UnfinishedTransaction?
    {
        guard let purchase = try Purchase.find(try row.get("transaction_id"), environment, connection) else {
            return nil
        }
        return UnfinishedTransaction(
            purchase: purchase, requestIdentifier: try row.get("request_id"),
            eventNumber: try row.get("event_number"))
    }

    /// Removes a transaction from every queue, and returns the devices that
    /// had it.
    static func removeEverywhere(
        _ transaction: String, _ environment: StoreEnvironment, _ connection: any Connection
    ) throws -> [DeviceIdentifier] {
        let key = [environment.rawValue, transaction]
        let devices = try connection.rows(
            "SELECT device_id FROM queue_entry WHERE environment = $1 AND transaction_id = $2", key
        ).map { DeviceIdentifier(rawValue: try $0.get("device_id")) }
        try connection.run("DELETE FROM queue_entry WHERE environment = $1 AND transaction_id = $2", key)
        return devices
    }
}

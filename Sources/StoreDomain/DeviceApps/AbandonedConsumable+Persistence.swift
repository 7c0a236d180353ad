// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension AbandonedConsumable {
    /// The abandoned consumables after a transaction, in order of their
    /// identifiers.
    static func all(after last: TransactionIdentifier, limit: Int, _ db: StoreTransaction) throws
        -> [AbandonedConsumable]
    {
        try db.rows(
            """
            SELECT queue_entry.transaction_id, queue_entry.account_id, queue_entry.bundle_id, queue_entry.device_id
            \(abandoned) AND queue_entry.transaction_id > $4
            ORDER BY queue_entry.transaction_id LIMIT $5
            """, arguments(db) + [last, limit]
        ).map {
            AbandonedConsumable(
                transaction: try $0.get("transaction_id"), account: try $0.get("account_id"),
                bundleIdentifier: try $0.get("bundle_id"), holder: try $0.get("device_id"))
        }
    }

    /// Whether the consumable is still unfinished and its holder absent.
    func isStillAbandoned(_ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one \(Self.abandoned) AND queue_entry.transaction_id = $4 AND queue_entry.device_id = $5
                AND queue_entry.bucket = $6
            """, Self.arguments(db) + [transaction, holder, account.bucket]) != nil
    }

    /// A holder whose use of the app isn't recorded yet was last seen at its
    /// last call, so that a device that has just signed in isn't absent.
    private static let abandoned = """
        FROM queue_entry
        JOIN purchase
            ON purchase.environment = queue_entry.environment AND purchase.transaction_id = queue_entry.transaction_id
            AND purchase.bucket = queue_entry.bucket
        JOIN device
            ON device.environment = queue_entry.environment AND device.device_id = queue_entry.device_id
        LEFT JOIN device_app AS held
            ON held.environment = queue_entry.environment AND held.account_id = queue_entry.account_id
            AND held.bundle_id = queue_entry.bundle_id AND held.device_id = queue_entry.device_id
            AND held.bucket = queue_entry.bucket
        WHERE queue_entry.environment = $1 AND purchase.kind = $2
            AND (device.account_id IS NULL OR device.account_id <> queue_entry.account_id
                OR COALESCE(held.last_seen_at, device.seen_at) <= $3)
            AND EXISTS (
                SELECT 1 FROM device_app AS other JOIN device AS heir
                    ON heir.environment = other.environment AND heir.device_id = other.device_id
                WHERE other.environment = queue_entry.environment AND other.account_id = queue_entry.account_id
                    AND other.bundle_id = queue_entry.bundle_id AND other.device_id <> queue_entry.device_id
                    AND other.bucket = queue_entry.bucket
                    AND other.last_seen_at > $3 AND heir.account_id = queue_entry.account_id)
        """

    private static func arguments(_ db: StoreTransaction) -> [any DatabaseValueConvertible] {
        [db.environment.rawValue, Product.Kind.consumable.rawValue, (db.now - DeviceApp.absence).milliseconds]
    }
}

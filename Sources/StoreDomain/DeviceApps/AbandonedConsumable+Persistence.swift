// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension AbandonedConsumable {
    /// The abandoned consumables among the next unfinished transactions of all
    /// devices.
    ///
    /// The page is taken before anything is joined: most transactions aren't
    /// abandoned, and a statement that looked for a number of abandoned ones
    /// would read the queues of all devices.
    static func page(after last: Position, limit: Int, _ db: StoreTransaction) throws -> Page {
        let rows = try db.rows(
            """
            SELECT entry.transaction_id, entry.account_id, entry.bundle_id, entry.device_id,
                CASE WHEN \(condition) THEN 1 ELSE 0 END AS is_abandoned
            FROM (
                SELECT environment, device_id, transaction_id, bucket, account_id, bundle_id FROM queue_entry
                WHERE environment = $1 AND (device_id, transaction_id) > ($4, $5)
                ORDER BY device_id, transaction_id LIMIT $6
            ) AS entry
            \(joins)
            ORDER BY entry.device_id, entry.transaction_id
            """, arguments(db) + [last.device, last.transaction, limit, Product.Kind.nonRenewing.rawValue])
        let entries = try rows.map {
            AbandonedConsumable(
                transaction: try $0.get("transaction_id"), account: try $0.get("account_id"),
                bundleIdentifier: try $0.get("bundle_id"), holder: try $0.get("device_id"))
        }
        let abandoned = try zip(entries, rows).filter { try $0.1.get("is_abandoned") }.map(\.0)
        let end = entries.count < limit ? nil : entries.last
        return Page(
            abandoned: abandoned, end: end.map { Position(device: $0.holder, transaction: $0.transaction) })
    }

    /// The devices that had the consumable before its holder; `nil` when it
    /// was finished, or its holder isn't absent any more.
    func formerHolders(_ db: StoreTransaction) throws -> FormerHolders? {
        try db.row(
            """
            SELECT entry.former_holders FROM queue_entry AS entry
            \(Self.joins)
            WHERE entry.environment = $1 AND entry.device_id = $4 AND entry.transaction_id = $5
                AND entry.bucket = $6 AND \(Self.condition)
            """, Self.arguments(db) + [holder, transaction, account.bucket, Product.Kind.nonRenewing.rawValue]
        ).map(FormerHolders.init)
    }

    private static let joins = """
        LEFT JOIN purchase
            ON purchase.environment = entry.environment AND purchase.transaction_id = entry.transaction_id
            AND purchase.bucket = entry.bucket
        LEFT JOIN device
            ON device.environment = entry.environment AND device.device_id = entry.device_id
        LEFT JOIN device_app AS held
            ON held.environment = entry.environment AND held.account_id = entry.account_id
            AND held.bundle_id = entry.bundle_id AND held.device_id = entry.device_id
            AND held.bucket = entry.bucket
        """

    /// A holder whose use of the app isn't recorded yet was last seen at its
    /// last call, so that a device that has just signed in isn't absent.
    private static let condition = """
        purchase.kind IN ($2, $7)
            AND (device.account_id IS NULL OR device.account_id <> entry.account_id
                OR COALESCE(held.last_seen_at, device.seen_at) <= $3)
            AND EXISTS (
                SELECT 1 FROM device_app AS other JOIN device AS heir
                    ON heir.environment = other.environment AND heir.device_id = other.device_id
                WHERE other.environment = entry.environment AND other.account_id = entry.account_id
                    AND other.bundle_id = entry.bundle_id AND other.device_id <> entry.device_id
                    AND other.bucket = entry.bucket
                    AND other.last_seen_at > $3 AND heir.account_id = entry.account_id)
        """

    private static func arguments(_ db: StoreTransaction) -> [any DatabaseValueConvertible] {
        [db.environment.rawValue, Product.Kind.consumable.rawValue, (db.now - DeviceApp.absence).milliseconds]
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension NotificationAddress {
    /// All addresses, those for all apps first. Listeners have none.
    static func all(_ db: StoreTransaction) throws -> [NotificationAddress] {
        try db.rows(
            """
            SELECT bundle_id, url, version FROM notification_address
            WHERE environment = $1 AND listened_until IS NULL ORDER BY bundle_id, url
            """, [db.environment.rawValue]
        ).map { row in
            NotificationAddress(
                saved: try row.get("url"), of: try row.get("bundle_id"),
                NotificationVersion(rawValue: try row.get("version")) ?? .two)
        }
    }

    /// Saves the address; one that exists stays.
    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO notification_address (environment, bundle_id, url, added_at, version)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (environment, bundle_id, url) DO NOTHING
            """, [db.environment.rawValue, bundleIdentifier, url, db.now.milliseconds, version.rawValue])
    }

    /// Deletes the address.
    ///
    /// - Returns: Whether it existed.
    func delete(_ db: StoreTransaction) throws -> Bool {
        try db.run(
            "DELETE FROM notification_address WHERE environment = $1 AND bundle_id = $2 AND url = $3",
            [db.environment.rawValue, bundleIdentifier, url]) == 1
    }
}

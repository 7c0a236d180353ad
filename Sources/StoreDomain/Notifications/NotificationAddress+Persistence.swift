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

    /// The addresses of an app in an environment. Listeners have none.
    static func all(
        of app: BundleIdentifier, in environment: StoreEnvironment, _ db: StoreTransaction
    ) throws -> [NotificationAddress] {
        try db.rows(
            """
            SELECT url, version FROM notification_address
            WHERE environment = $1 AND bundle_id = $2 AND listened_until IS NULL ORDER BY url
            """, [environment.rawValue, app]
        ).map { row in
            NotificationAddress(
                saved: try row.get("url"), of: app, NotificationVersion(rawValue: try row.get("version")) ?? .two)
        }
    }

    /// Saves the address; one that exists stays.
    func insert(in environment: StoreEnvironment, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO notification_address (environment, bundle_id, url, added_at, version, is_internet_only)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (environment, bundle_id, url) DO NOTHING
            """,
            [
                environment.rawValue, bundleIdentifier, url, db.now.milliseconds, version.rawValue,
                reach == .internet ? 1 : 0,
            ])
    }

    /// Lets the address reach each address of the environment, also when a team
    /// has added it, whose addresses reach the internet only.
    func allowEnvironment(in environment: StoreEnvironment, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE notification_address SET is_internet_only = 0
            WHERE environment = $1 AND bundle_id = $2 AND url = $3 AND listened_until IS NULL
            """, [environment.rawValue, bundleIdentifier, url])
    }

    /// Deletes the address.
    ///
    /// - Returns: Whether it existed.
    func delete(in environment: StoreEnvironment, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            DELETE FROM notification_address
            WHERE environment = $1 AND bundle_id = $2 AND url = $3 AND listened_until IS NULL
            """, [environment.rawValue, bundleIdentifier, url]) == 1
    }
}

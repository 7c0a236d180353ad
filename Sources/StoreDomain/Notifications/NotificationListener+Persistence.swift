// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension NotificationListener {
    /// Saves the listener, or prolongs its time.
    ///
    /// - Throws: ``DomainError`` `invalid` when there are too many.
    func prolong(_ db: StoreTransaction) throws {
        try Self.deleteFormer(db)
        let until = (db.now + Self.lifetime).milliseconds
        let isThere = try db.run(
            """
            UPDATE notification_address SET listened_until = $4, version = $5
            WHERE environment = $1 AND bundle_id = $2 AND url = $3
            """, [db.environment.rawValue, bundleIdentifier, url, until, version.rawValue])
        guard isThere == 0 else { return }
        let others = try db.rows(
            "SELECT url FROM notification_address WHERE environment = $1 AND listened_until IS NOT NULL",
            [db.environment.rawValue])
        guard others.count < Self.most else {
            throw DomainError(
                .invalid, "\(Self.most) programs listen to notifications already: end one of them first.")
        }
        try db.run(
            """
            INSERT INTO notification_address (environment, bundle_id, url, added_at, listened_until, version)
            VALUES ($1, $2, $3, $4, $5, $6)
            """, [db.environment.rawValue, bundleIdentifier, url, db.now.milliseconds, until, version.rawValue])
    }

    /// Whether an address or a listener receives the notifications of version 2
    /// of an app.
    static func hasReceiver(of app: BundleIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM notification_address
            WHERE environment = $1 AND bundle_id IN ($2, '') AND version = 2
                AND (listened_until IS NULL OR listened_until > $3) LIMIT 1
            """, [db.environment.rawValue, app, db.now.milliseconds]) != nil
    }

    /// Deletes the listener, with the notifications that wait for it.
    func delete(_ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM notification_address WHERE environment = $1 AND bundle_id = $2 AND url = $3",
            [db.environment.rawValue, bundleIdentifier, url])
        try Self.deleteUntaken(url, db)
    }

    /// Deletes the listeners whose time is over.
    private static func deleteFormer(_ db: StoreTransaction) throws {
        let former = try db.rows(
            """
            SELECT url FROM notification_address WHERE environment = $1 AND listened_until <= $2
            """, [db.environment.rawValue, db.now.milliseconds])
        guard !former.isEmpty else { return }
        for row in former { try deleteUntaken(try row.get("url"), db) }
        try db.run(
            "DELETE FROM notification_address WHERE environment = $1 AND listened_until <= $2",
            [db.environment.rawValue, db.now.milliseconds])
    }

    private static func deleteUntaken(_ url: String, _ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM notification_delivery WHERE environment = $1 AND url = $2 AND state = 'listened'",
            [db.environment.rawValue, url])
    }

    /// Saves the result of a notification that was taken. Repeating it changes
    /// nothing.
    func save(_ taken: Taken, _ db: StoreTransaction) throws {
        let attempt = NotificationDelivery.Attempt(at: db.now, result: taken.result)
        try db.run(
            """
            UPDATE notification_delivery SET state = $4, attempts = $5
            WHERE environment = $1 AND notification_id = $2 AND url = $3 AND state = 'listened'
            """,
            [
                db.environment.rawValue, taken.notification, url,
                (taken.result == .success ? NotificationDelivery.State.delivered : .failed).rawValue,
                NotificationDelivery.text(of: [attempt]),
            ])
    }

    /// The identifiers of the notifications that the listener hasn't taken, in
    /// the order of their causes.
    func waiting(limit: Int, _ db: StoreTransaction) throws -> [String] {
        try db.rows(
            """
            SELECT notification_id FROM notification_delivery
            WHERE environment = $1 AND url = $2 AND state = 'listened'
            ORDER BY created_at, event_number, place, notification_id LIMIT $3
            """, [db.environment.rawValue, url, limit]
        ).map { try $0.get("notification_id") }
    }
}

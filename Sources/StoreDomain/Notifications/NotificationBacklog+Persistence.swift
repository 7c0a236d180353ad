// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The notifications that wait for a signature, or for an attempt at an
/// address.
enum NotificationBacklog {
    /// How many wait, and when the oldest of them was saved. The conditions
    /// are those of the indexes `notification_unsigned` and
    /// `notification_delivery_waiting`, so that the engine reads no other rows.
    static func read(_ db: StoreTransaction) throws -> Backlog {
        try Backlog(
            db.row(
                """
                SELECT count(*) AS n, min(created_at) AS oldest FROM (
                    SELECT created_at FROM notification WHERE environment = $1 AND payload IS NULL
                    UNION ALL
                    SELECT created_at FROM notification_delivery WHERE environment = $1 AND due_at IS NOT NULL
                ) AS work
                """, [db.environment.rawValue]))
    }
}

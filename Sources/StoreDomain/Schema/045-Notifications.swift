// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The notifications to sellers' servers (App Store Server Notifications,
    /// version 2).
    static let notifications = Migration(
        "045 notifications",
        [
            // The addresses of sellers' servers. The bundle_id of one for all
            // apps is empty.
            """
            CREATE TABLE notification_address (
                environment TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                url TEXT NOT NULL,
                added_at BIGINT NOT NULL,
                PRIMARY KEY (environment, bundle_id, url)
            )
            """,
            // The transaction of the cause writes a row. `account_id` is NULL
            // for a notification about no customer. `event_number` is the
            // account's, `place` the order within it, and `state_number` the
            // number of the subscription's events. `payload` is NULL until it
            // is signed, which orders a delivery to each address.
            """
            CREATE TABLE notification (
                environment TEXT NOT NULL,
                notification_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                type TEXT NOT NULL,
                subtype TEXT NOT NULL,
                account_id TEXT,
                account_bucket BIGINT NOT NULL,
                transaction_id TEXT NOT NULL,
                original_transaction_id TEXT NOT NULL,
                event_number BIGINT NOT NULL,
                place BIGINT NOT NULL,
                state_number BIGINT NOT NULL,
                at BIGINT NOT NULL,
                details TEXT NOT NULL,
                payload TEXT,
                signed_at BIGINT,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (environment, notification_id)
            )
            """,
            """
            CREATE INDEX notification_of_app ON notification (environment, bundle_id, created_at, notification_id)
            """,
            """
            CREATE INDEX notification_of_type
            ON notification (environment, bundle_id, type, created_at, notification_id)
            """,
            """
            CREATE INDEX notification_of_account
            ON notification (environment, account_id, bundle_id, created_at, notification_id)
            """,
            "CREATE INDEX notification_of_age ON notification (environment, created_at, notification_id)",
            """
            CREATE INDEX notification_unsigned
            ON notification (environment, created_at, event_number, place, notification_id)
            WHERE payload IS NULL
            """,
            // `due_at` is NULL when no attempt follows. `chain` is the original
            // transaction, or the notification itself, and `attempts` has the
            // moment and the result of each.
            """
            CREATE TABLE notification_delivery (
                environment TEXT NOT NULL,
                notification_id TEXT NOT NULL,
                url TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                account_id TEXT,
                chain TEXT NOT NULL,
                event_number BIGINT NOT NULL,
                place BIGINT NOT NULL,
                due_at BIGINT,
                state TEXT NOT NULL,
                attempts TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (environment, notification_id, url)
            )
            """,
            """
            CREATE INDEX notification_delivery_due
            ON notification_delivery (environment, url, due_at, event_number, place, notification_id)
            WHERE due_at IS NOT NULL
            """,
            """
            CREATE INDEX notification_delivery_of_app ON notification_delivery (environment, bundle_id, due_at)
            WHERE due_at IS NOT NULL
            """,
            """
            CREATE INDEX notification_delivery_of_account ON notification_delivery (environment, account_id)
            WHERE due_at IS NOT NULL
            """,
            """
            CREATE INDEX notification_delivery_of_age
            ON notification_delivery (environment, created_at, notification_id, url)
            """,
            // One row while a notification of a chain is on its way to an
            // address.
            """
            CREATE TABLE notification_turn (
                environment TEXT NOT NULL,
                chain TEXT NOT NULL,
                url TEXT NOT NULL,
                owner TEXT NOT NULL,
                leased_until BIGINT NOT NULL,
                PRIMARY KEY (environment, chain, url)
            )
            """,
            "ALTER TABLE account ADD COLUMN retries_notifications BIGINT NOT NULL DEFAULT 0",
        ])
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The modes in which the sandbox delivers notifications, and the order of
    /// those of one millisecond in lists.
    static let deliveryModes = Migration(
        "046 delivery modes",
        [
            // The `account_id` of the mode of all accounts is empty. `used` is
            // the number of notifications that were held, whose transactions
            // lock the row.
            """
            CREATE TABLE notification_mode (
                environment TEXT NOT NULL,
                account_id TEXT NOT NULL,
                is_sent_twice BIGINT NOT NULL,
                is_out_of_order BIGINT NOT NULL,
                delay BIGINT NOT NULL,
                is_dropped BIGINT NOT NULL,
                failures BIGINT NOT NULL,
                used BIGINT NOT NULL DEFAULT 0,
                PRIMARY KEY (environment, account_id)
            )
            """,
            // How often the address still receives it, and how many attempts
            // fail before, without a request.
            "ALTER TABLE notification_delivery ADD COLUMN copies BIGINT NOT NULL DEFAULT 1",
            "ALTER TABLE notification_delivery ADD COLUMN failures BIGINT NOT NULL DEFAULT 0",
            """
            CREATE INDEX notification_delivery_held ON notification_delivery (environment, chain, url)
            WHERE state = 'held'
            """,
            "DROP INDEX notification_of_app",
            "DROP INDEX notification_of_type",
            "DROP INDEX notification_of_account",
            """
            CREATE INDEX notification_of_app
            ON notification (environment, bundle_id, created_at, event_number, place, notification_id)
            """,
            """
            CREATE INDEX notification_of_type
            ON notification (environment, bundle_id, type, created_at, event_number, place, notification_id)
            """,
            """
            CREATE INDEX notification_of_account
            ON notification (environment, account_id, bundle_id, created_at, event_number, place, notification_id)
            """,
            """
            CREATE INDEX notification_in_order
            ON notification (environment, created_at, event_number, place, notification_id)
            """,
        ])
}

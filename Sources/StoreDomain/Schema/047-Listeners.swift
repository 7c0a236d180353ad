// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Programs that take notifications from the sandbox, without an address.
    static let listeners = Migration(
        "047 listeners",
        [
            // The wall time until which a listener may take notifications;
            // NULL for an address.
            "ALTER TABLE notification_address ADD COLUMN listened_until BIGINT",
            """
            CREATE INDEX notification_delivery_listened
            ON notification_delivery (environment, url, created_at, event_number, place, notification_id)
            WHERE state = 'listened'
            """,
        ])
}

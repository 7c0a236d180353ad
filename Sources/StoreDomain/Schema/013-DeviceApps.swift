// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The devices on which an account uses an app.
    static let deviceApps = Migration(
        "013 device apps",
        [
            """
            CREATE TABLE device_app (
                environment TEXT NOT NULL,
                account_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                device_id TEXT NOT NULL,
                first_seen_at BIGINT NOT NULL,
                last_seen_at BIGINT NOT NULL,
                PRIMARY KEY (environment, account_id, bundle_id, device_id),
                FOREIGN KEY (environment, account_id) REFERENCES account (environment, account_id),
                FOREIGN KEY (environment, device_id) REFERENCES device (environment, device_id)
            )
            """,
            "CREATE INDEX device_app_of_device ON device_app (environment, device_id)",
            // Devices with an unfinished transaction used the app before this
            // version recorded it.
            """
            INSERT INTO device_app (environment, account_id, bundle_id, device_id, first_seen_at, last_seen_at)
            SELECT DISTINCT queue_entry.environment, queue_entry.account_id, queue_entry.bundle_id,
                queue_entry.device_id, device.created_at, device.created_at
            FROM queue_entry JOIN device
                ON device.environment = queue_entry.environment AND device.device_id = queue_entry.device_id
            """,
        ])
}

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
                last_seen_at BIGINT NOT NULL,
                PRIMARY KEY (environment, account_id, bundle_id, device_id),
                FOREIGN KEY (environment, account_id) REFERENCES account (environment, account_id),
                FOREIGN KEY (environment, device_id) REFERENCES device (environment, device_id) ON DELETE CASCADE
            )
            """,
            "CREATE INDEX device_app_of_device ON device_app (environment, device_id)",
        ])
}

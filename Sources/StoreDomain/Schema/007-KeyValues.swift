// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Values that apps store for an account and that all of its devices
    /// share.
    static let keyValues = Migration(
        "007 key values",
        [
            // A removed value stays as a row without a value, so that devices
            // receive the removal.
            """
            CREATE TABLE key_value (
                environment TEXT NOT NULL,
                account_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                key_name TEXT NOT NULL,
                value TEXT,
                value_bytes BIGINT NOT NULL,
                event_number BIGINT NOT NULL,
                PRIMARY KEY (environment, account_id, bundle_id, key_name),
                FOREIGN KEY (environment, account_id) REFERENCES account (environment, account_id)
            )
            """,
            "CREATE INDEX key_value_news ON key_value (environment, account_id, bundle_id, event_number)",
            """
            CREATE TABLE key_value_writer (
                environment TEXT NOT NULL,
                device_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                sequence BIGINT NOT NULL,
                PRIMARY KEY (environment, device_id, bundle_id),
                FOREIGN KEY (environment, device_id) REFERENCES device (environment, device_id)
            )
            """,
        ])
}

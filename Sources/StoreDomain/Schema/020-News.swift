// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The numbered news of devices: requests whose answers have changed, and
    /// sign-ins and sign-outs.
    static let news = Migration(
        "020 news",
        [
            // The number of the device's newest news. It is incremented under
            // the lock of the row, so that the order of the numbers is the
            // order of the commits.
            "ALTER TABLE device ADD COLUMN news_number BIGINT NOT NULL DEFAULT 0",
            // `request_id` is NULL unless the kind is `request`.
            """
            CREATE TABLE device_news (
                environment TEXT NOT NULL,
                device_id TEXT NOT NULL,
                news_number BIGINT NOT NULL,
                kind TEXT NOT NULL,
                request_id TEXT,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (environment, device_id, news_number),
                FOREIGN KEY (environment, device_id) REFERENCES device (environment, device_id) ON DELETE CASCADE
            )
            """,
            "CREATE INDEX device_news_age ON device_news (environment, created_at, device_id, news_number)",
        ])
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The numbers of app transactions: the download of an app by an account.
    static let appTransactions = Migration(
        "055 app transactions",
        [
            // The transaction of an account's first purchase in an app, or of its
            // first use, writes the row. It stays as long as the account.
            """
            CREATE TABLE app_transaction (
                environment TEXT NOT NULL,
                account_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                bucket BIGINT NOT NULL,
                app_transaction_id TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (environment, account_id, bundle_id, bucket)
            )
            """,
            """
            CREATE UNIQUE INDEX app_transaction_number
            ON app_transaction (environment, app_transaction_id, bucket)
            """,
            // The apps of earlier purchases and uses, numbered in the order of
            // their keys.
            """
            INSERT INTO app_transaction (environment, account_id, bundle_id, bucket, app_transaction_id, created_at)
            SELECT environment, account_id, bundle_id, bucket,
                CAST(
                    CASE environment WHEN 'Production' THEN 5000000000000000000 ELSE 3000000000000000000 END
                    + bucket * 1000000000000000
                    + ROW_NUMBER() OVER (ORDER BY environment, account_id, bundle_id) AS TEXT),
                created_at
            FROM (
                SELECT environment, account_id, bundle_id, bucket, min(created_at) AS created_at
                FROM (
                    SELECT environment, account_id, bundle_id, bucket, purchased_at AS created_at FROM purchase
                    UNION ALL
                    SELECT environment, account_id, bundle_id, bucket, first_seen_at FROM device_app
                ) AS used
                GROUP BY environment, account_id, bundle_id, bucket
            ) AS apps
            """,
        ])
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Subscriptions with their events, the periods of purchases, and the time
    /// of accounts.
    static let subscriptions = Migration(
        "024 subscriptions",
        [
            // `due_at` is the wall time of the next step; NULL when there is
            // none, and while a payment is under way. `due_store_at` is the
            // account's time of the same step. Both are computed from the
            // events, as is `period_number`, the number of the event that
            // began the newest period.
            """
            CREATE TABLE subscription (
                environment TEXT NOT NULL,
                original_transaction_id TEXT NOT NULL,
                bucket BIGINT NOT NULL,
                account_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                group_id TEXT NOT NULL,
                payment_number TEXT,
                period_number BIGINT NOT NULL,
                event_count BIGINT NOT NULL,
                due_at BIGINT,
                due_store_at BIGINT,
                lease_owner TEXT,
                leased_until BIGINT NOT NULL DEFAULT 0,
                PRIMARY KEY (environment, original_transaction_id, bucket),
                FOREIGN KEY (environment, account_id, bucket) REFERENCES account (environment, account_id, bucket)
            )
            """,
            // One subscription of a group and account.
            """
            CREATE UNIQUE INDEX subscription_of_account
            ON subscription (environment, account_id, bundle_id, group_id, bucket)
            """,
            """
            CREATE INDEX subscription_due ON subscription (environment, due_at, original_transaction_id)
            WHERE due_at IS NOT NULL
            """,
            """
            CREATE TABLE subscription_event (
                environment TEXT NOT NULL,
                original_transaction_id TEXT NOT NULL,
                number BIGINT NOT NULL,
                bucket BIGINT NOT NULL,
                kind TEXT NOT NULL,
                at BIGINT NOT NULL,
                details TEXT NOT NULL,
                PRIMARY KEY (environment, original_transaction_id, number, bucket),
                FOREIGN KEY (environment, original_transaction_id, bucket)
                    REFERENCES subscription (environment, original_transaction_id, bucket)
            )
            """,
            // A request that changes a subscription's plan is answered with the
            // current transaction, which another request may have bought.
            "DROP INDEX request_transaction",
            "CREATE INDEX request_transaction ON request (environment, transaction_id)",
            "ALTER TABLE purchase ADD COLUMN expires_at BIGINT",
            "ALTER TABLE purchase ADD COLUMN web_order_id TEXT",
            "ALTER TABLE purchase ADD COLUMN group_id TEXT",
            "ALTER TABLE purchase ADD COLUMN is_upgraded BIGINT NOT NULL DEFAULT 0",
            // The account's time for which a renewal is paid.
            "ALTER TABLE payment ADD COLUMN due_store_at BIGINT",
            // The difference between the account's time and the wall's, in
            // milliseconds, and the name of the speed of its renewals.
            "ALTER TABLE account ADD COLUMN clock_offset BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE account ADD COLUMN renewal_speed TEXT NOT NULL DEFAULT 'real'",
        ])
}

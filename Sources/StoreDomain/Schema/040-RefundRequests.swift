// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Refunds that customers have asked for, and the order of an account's
    /// purchases in all apps.
    static let refundRequests = Migration(
        "040 refund requests",
        [
            // `refund_id` is the identifier that the refund will have.
            // `comment` is NULL after the account was closed.
            """
            CREATE TABLE refund_request (
                environment TEXT NOT NULL,
                refund_id TEXT NOT NULL,
                bucket BIGINT NOT NULL,
                account_id TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                reason TEXT NOT NULL,
                comment TEXT,
                status TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                decided_at BIGINT,
                PRIMARY KEY (environment, refund_id, bucket),
                FOREIGN KEY (environment, account_id, bucket) REFERENCES account (environment, account_id, bucket)
            )
            """,
            // One request of a transaction waits at a time.
            """
            CREATE UNIQUE INDEX refund_request_waiting ON refund_request (environment, transaction_id, bucket)
            WHERE status IN ('open', 'approving')
            """,
            """
            CREATE INDEX refund_request_of_transaction
            ON refund_request (environment, transaction_id, bucket, created_at)
            """,
            """
            CREATE INDEX refund_request_list ON refund_request (environment, created_at, refund_id)
            WHERE status IN ('open', 'approving')
            """,
            "CREATE INDEX refund_request_of_account ON refund_request (environment, account_id, bucket)",
            """
            CREATE INDEX purchase_history ON purchase (environment, account_id, purchased_at, transaction_id)
            """,
        ])
}

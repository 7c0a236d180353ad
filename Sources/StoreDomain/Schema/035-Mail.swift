// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The messages that wait to be sent, and the links that were sent.
    static let mail = Migration(
        "035 mail",
        [
            """
            CREATE TABLE mail_order (
                environment TEXT NOT NULL,
                order_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                recipient TEXT NOT NULL,
                account_id TEXT,
                password_number BIGINT,
                transaction_id TEXT,
                tries BIGINT NOT NULL,
                due_at BIGINT NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (environment, order_id)
            )
            """,
            "CREATE INDEX mail_order_due ON mail_order (environment, due_at, order_id)",
            "CREATE INDEX mail_order_of_account ON mail_order (environment, account_id)",
            "CREATE INDEX mail_order_to ON mail_order (environment, recipient)",
            "CREATE INDEX mail_order_age ON mail_order (environment, created_at, order_id)",
            """
            CREATE TABLE one_time_link (
                environment TEXT NOT NULL,
                token_hash TEXT NOT NULL,
                kind TEXT NOT NULL,
                account_id TEXT NOT NULL,
                account_bucket BIGINT NOT NULL,
                email TEXT NOT NULL,
                password_number BIGINT NOT NULL,
                expires_at BIGINT NOT NULL,
                PRIMARY KEY (environment, token_hash),
                FOREIGN KEY (environment, account_id, account_bucket)
                    REFERENCES account (environment, account_id, bucket)
            )
            """,
            "CREATE INDEX one_time_link_of_account ON one_time_link (environment, account_id, kind)",
            "CREATE INDEX one_time_link_age ON one_time_link (environment, expires_at, token_hash)",
        ])
}

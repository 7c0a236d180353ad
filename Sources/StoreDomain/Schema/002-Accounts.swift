// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Accounts, devices, sheet sessions, and counts of wrong passwords.
    static let accounts = Migration(
        "002 accounts",
        [
            """
            CREATE TABLE account (
                environment TEXT NOT NULL,
                account_id TEXT NOT NULL,
                email TEXT NOT NULL,
                password_hash TEXT NOT NULL,
                storefront TEXT NOT NULL,
                event_number BIGINT NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (environment, account_id)
            )
            """,
            "CREATE UNIQUE INDEX account_email ON account (environment, email)",
            """
            CREATE TABLE sign_in_throttle (
                environment TEXT NOT NULL,
                email TEXT NOT NULL,
                failures BIGINT NOT NULL,
                blocked_until BIGINT NOT NULL,
                PRIMARY KEY (environment, email)
            )
            """,
            "CREATE INDEX sign_in_throttle_age ON sign_in_throttle (environment, blocked_until)",
            """
            CREATE TABLE device (
                environment TEXT NOT NULL,
                device_id TEXT NOT NULL,
                secret_hash TEXT NOT NULL,
                account_id TEXT,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (environment, device_id),
                FOREIGN KEY (environment, account_id) REFERENCES account (environment, account_id)
            )
            """,
            """
            CREATE TABLE sheet_session (
                environment TEXT NOT NULL,
                token_hash TEXT NOT NULL,
                account_id TEXT NOT NULL,
                expires_at BIGINT NOT NULL,
                PRIMARY KEY (environment, token_hash),
                FOREIGN KEY (environment, account_id) REFERENCES account (environment, account_id)
            )
            """,
            "CREATE INDEX sheet_session_expiry ON sheet_session (environment, expires_at)",
        ])
}

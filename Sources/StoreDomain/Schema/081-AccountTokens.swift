// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The tokens of a subscription's periods: a token that is set later leaves
    /// the earlier periods theirs.
    static let accountTokens = Migration(
        "081 account tokens",
        [
            // `since` is the date of the first purchase that has the token; 0 for the tokens of before, which all
            // purchases had.
            """
            CREATE TABLE dated_token (
                environment TEXT NOT NULL,
                original_transaction_id TEXT NOT NULL,
                bucket BIGINT NOT NULL,
                since BIGINT NOT NULL,
                token TEXT NOT NULL,
                set_at BIGINT NOT NULL,
                PRIMARY KEY (environment, original_transaction_id, bucket, since)
            )
            """,
            """
            INSERT INTO dated_token (environment, original_transaction_id, bucket, since, token, set_at)
            SELECT environment, original_transaction_id, bucket, 0, token, set_at FROM account_token
            """,
            "DROP TABLE account_token",
            "ALTER TABLE dated_token RENAME TO account_token",
            "CREATE INDEX account_token_value ON account_token (environment, token, original_transaction_id)",
        ])
}

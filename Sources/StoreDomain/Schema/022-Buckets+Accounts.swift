// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// Accounts, and the addresses of those that aren't closed.
    ///
    /// An address is unique among all buckets, which no constraint of a table
    /// with the bucket in its keys can say. So it has a table of its own, which
    /// isn't an account's.
    static let accountTables = [
        RebuiltTable(
            name: "account",
            columns: [
                "environment TEXT NOT NULL",
                "account_id TEXT NOT NULL",
                "bucket BIGINT NOT NULL CHECK (bucket BETWEEN 0 AND 999)",
                "email TEXT NOT NULL",
                "password_hash TEXT NOT NULL",
                "storefront TEXT NOT NULL",
                "event_number BIGINT NOT NULL",
                "created_at BIGINT NOT NULL",
                "closed_at BIGINT",
                "is_barred BIGINT NOT NULL DEFAULT 0",
                "asks_to_buy BIGINT NOT NULL DEFAULT 0",
                "interrupts_purchases BIGINT NOT NULL DEFAULT 0",
            ],
            constraints: ["PRIMARY KEY (environment, account_id, bucket)"],
            source: bucketed("account")),
        RebuiltTable(
            name: "account_email",
            columns: [
                "environment TEXT NOT NULL",
                "email TEXT NOT NULL",
                "account_id TEXT NOT NULL",
                "account_bucket BIGINT NOT NULL",
            ],
            constraints: ["PRIMARY KEY (environment, email)", referenceToAccount("account_bucket")],
            source: """
                SELECT environment, email, account_id, \(bucket(of: "account_id")) AS account_bucket
                FROM account WHERE closed_at IS NULL
                """,
            isOld: false),
        RebuiltTable(
            name: "sheet_session",
            columns: [
                "environment TEXT NOT NULL",
                "token_hash TEXT NOT NULL",
                "account_id TEXT NOT NULL",
                "account_bucket BIGINT NOT NULL",
                "expires_at BIGINT NOT NULL",
            ],
            constraints: ["PRIMARY KEY (environment, token_hash)", referenceToAccount("account_bucket")],
            source: bucketed("sheet_session", as: "account_bucket"),
            indexes: [
                "INDEX sheet_session_of_account ON sheet_session (environment, account_id)",
                "INDEX sheet_session_expiry ON sheet_session (environment, expires_at, token_hash)",
            ]),
    ]

    static func referenceToAccount(_ bucket: String = "bucket") -> String {
        "FOREIGN KEY (environment, account_id, \(bucket)) REFERENCES account (environment, account_id, bucket)"
    }
}

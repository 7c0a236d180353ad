// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// Devices and the tables that are keyed by them: requests, sheets, news,
    /// and the numbers of key-value writes.
    static let deviceTables = [
        RebuiltTable(
            name: "device",
            columns: [
                "environment TEXT NOT NULL",
                "device_id TEXT NOT NULL",
                "secret_hash TEXT NOT NULL",
                "account_id TEXT",
                "account_bucket BIGINT",
                "created_at BIGINT NOT NULL",
                "seen_at BIGINT",
                "news_number BIGINT NOT NULL DEFAULT 0",
            ],
            constraints: [
                "PRIMARY KEY (environment, device_id)", referenceToAccount("account_bucket"),
                "CHECK ((account_id IS NULL) = (account_bucket IS NULL))",
            ],
            source: """
                SELECT device.*, CASE WHEN account_id IS NOT NULL THEN \(bucket(of: "account_id")) END AS account_bucket
                FROM device
                """,
            indexes: [
                "INDEX device_of_account ON device (environment, account_id)",
                "INDEX device_seen ON device (environment, seen_at, device_id)",
                "INDEX device_unused ON device (environment, seen_at, device_id) WHERE account_id IS NULL",
            ]),
        requests, sheets,
        RebuiltTable(
            name: "device_news",
            columns: [
                "environment TEXT NOT NULL",
                "device_id TEXT NOT NULL",
                "news_number BIGINT NOT NULL",
                "kind TEXT NOT NULL",
                "request_id TEXT",
                "created_at BIGINT NOT NULL",
            ],
            constraints: [
                "PRIMARY KEY (environment, device_id, news_number)",
                "FOREIGN KEY (environment, device_id) REFERENCES device (environment, device_id) ON DELETE CASCADE",
            ],
            indexes: ["INDEX device_news_age ON device_news (environment, created_at, device_id, news_number)"]),
        RebuiltTable(
            name: "key_value_writer",
            columns: [
                "environment TEXT NOT NULL",
                "device_id TEXT NOT NULL",
                "bundle_id TEXT NOT NULL",
                "sequence BIGINT NOT NULL",
            ],
            constraints: [
                "PRIMARY KEY (environment, device_id, bundle_id)",
                "FOREIGN KEY (environment, device_id) REFERENCES device (environment, device_id)",
            ]),
    ]

    private static let requests = RebuiltTable(
        name: "request",
        columns: [
            "environment TEXT NOT NULL",
            "device_id TEXT NOT NULL",
            "request_id TEXT NOT NULL",
            "kind TEXT NOT NULL",
            "bundle_id TEXT NOT NULL",
            "product_id TEXT",
            "quantity BIGINT NOT NULL",
            "username TEXT",
            "status TEXT NOT NULL",
            "account_id TEXT",
            "transaction_id TEXT",
            "event_number BIGINT",
            "failure_code BIGINT",
            "failure_message TEXT",
            "created_at BIGINT NOT NULL",
            "simulates_ask_to_buy BIGINT NOT NULL DEFAULT 0",
            "deferred_at BIGINT",
            "interrupted_at BIGINT",
            "changed_at BIGINT",
        ],
        constraints: [
            "PRIMARY KEY (environment, device_id, request_id)",
            "FOREIGN KEY (environment, device_id) REFERENCES device (environment, device_id)",
        ],
        indexes: [
            "UNIQUE INDEX request_transaction ON request (environment, transaction_id)",
            """
            INDEX request_undecided ON request (environment, transaction_id)
            WHERE status IN ('deferred', 'interrupted')
            """,
            """
            INDEX request_age ON request (environment, changed_at, device_id, request_id)
            WHERE status IN ('done', 'failed', 'open')
            """,
        ])

    private static let sheets = RebuiltTable(
        name: "sheet",
        columns: [
            "environment TEXT NOT NULL",
            "token TEXT NOT NULL",
            "device_id TEXT NOT NULL",
            "request_id TEXT NOT NULL",
            "status TEXT NOT NULL",
            "expires_at BIGINT NOT NULL",
            "closing_at BIGINT NOT NULL",
            "wrong_passwords BIGINT NOT NULL DEFAULT 0",
            "message TEXT",
            "lease_owner TEXT",
            "leased_until BIGINT NOT NULL DEFAULT 0",
        ],
        constraints: [
            "PRIMARY KEY (environment, token)",
            """
            FOREIGN KEY (environment, device_id, request_id)
                REFERENCES request (environment, device_id, request_id)
            """,
        ],
        indexes: [
            "UNIQUE INDEX sheet_request ON sheet (environment, device_id, request_id)",
            "INDEX sheet_open ON sheet (environment, closing_at) WHERE status = 'open'",
            """
            INDEX sheet_age ON sheet (environment, expires_at, token)
            WHERE status IN ('confirmed', 'cancelled', 'declined', 'expired')
            """,
        ])

    /// Filled after the purchases, to which its rows refer.
    static let restoredTransactions = RebuiltTable(
        name: "restored_transaction",
        columns: [
            "environment TEXT NOT NULL",
            "device_id TEXT NOT NULL",
            "request_id TEXT NOT NULL",
            "place BIGINT NOT NULL",
            "transaction_id TEXT NOT NULL",
            "restores_transaction_id TEXT NOT NULL",
            "account_bucket BIGINT NOT NULL",
            "restored_at BIGINT NOT NULL",
            "created_at BIGINT",
        ],
        constraints: [
            "PRIMARY KEY (environment, device_id, request_id, place)",
            """
            FOREIGN KEY (environment, restores_transaction_id, account_bucket)
                REFERENCES purchase (environment, transaction_id, bucket)
            """,
        ],
        source: """
            SELECT restored_transaction.*, \(bucket(of: "purchase.account_id")) AS account_bucket
            FROM restored_transaction JOIN purchase
                ON purchase.environment = restored_transaction.environment
                AND purchase.transaction_id = restored_transaction.restores_transaction_id
            """,
        indexes: [
            "UNIQUE INDEX restored_transaction_id ON restored_transaction (environment, transaction_id)",
            """
            INDEX restored_transaction_age
            ON restored_transaction (environment, created_at, device_id, request_id, place)
            """,
        ])
}

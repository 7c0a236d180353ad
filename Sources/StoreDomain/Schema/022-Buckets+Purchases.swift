// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// Purchases, with the ledger and the events.
    static let purchaseTables = [purchaseRows, ledgerEntries, events]

    private static let purchaseRows = RebuiltTable(
        name: "purchase",
        columns: [
            "environment TEXT NOT NULL",
            "transaction_id TEXT NOT NULL",
            "bucket BIGINT NOT NULL",
            "original_transaction_id TEXT NOT NULL",
            "account_id TEXT NOT NULL",
            "bundle_id TEXT NOT NULL",
            "product_id TEXT NOT NULL",
            "kind TEXT NOT NULL",
            "quantity BIGINT NOT NULL CHECK (quantity > 0)",
            "username TEXT",
            "purchased_at BIGINT NOT NULL",
            "original_purchased_at BIGINT NOT NULL",
            "milliunits BIGINT NOT NULL CHECK (milliunits >= 0)",
            "currency TEXT NOT NULL",
            "storefront TEXT NOT NULL",
            "device_id TEXT",
            "request_id TEXT",
            "is_in_receipt BIGINT NOT NULL",
            "revoked_at BIGINT",
            "receipt_attribute blob",
        ],
        constraints: ["PRIMARY KEY (environment, transaction_id, bucket)", referenceToAccount()],
        source: bucketed("purchase"),
        indexes: [
            "UNIQUE INDEX purchase_request ON purchase (environment, device_id, request_id, bucket)",
            "INDEX purchase_of_original ON purchase (environment, original_transaction_id)",
            """
            INDEX purchase_of_account
            ON purchase (environment, account_id, bundle_id, purchased_at, transaction_id)
            """,
            """
            INDEX purchase_in_receipt
            ON purchase (environment, account_id, bundle_id, purchased_at, transaction_id) WHERE is_in_receipt = 1
            """,
            "INDEX purchase_of_app ON purchase (environment, bundle_id, purchased_at, transaction_id)",
        ])

    /// The bucket is that of the account that has the purchase, also when
    /// another account has paid.
    private static let ledgerEntries = RebuiltTable(
        name: "ledger_entry",
        columns: [
            "environment TEXT NOT NULL",
            "entry_id TEXT NOT NULL",
            "bucket BIGINT NOT NULL",
            "kind TEXT NOT NULL",
            "account_id TEXT NOT NULL",
            "transaction_id TEXT NOT NULL",
            "payment_number TEXT",
            "milliunits BIGINT NOT NULL",
            "currency TEXT NOT NULL",
            "at BIGINT NOT NULL",
        ],
        constraints: ["PRIMARY KEY (environment, entry_id, bucket)", referenceToPurchase],
        source: """
            SELECT ledger_entry.*, \(bucket(of: "purchase.account_id")) AS bucket
            FROM ledger_entry JOIN purchase
                ON purchase.environment = ledger_entry.environment
                AND purchase.transaction_id = ledger_entry.transaction_id
            """,
        indexes: [
            """
            UNIQUE INDEX ledger_charged_once ON ledger_entry (environment, transaction_id, bucket)
            WHERE kind = 'charge'
            """,
            "INDEX ledger_of_payment ON ledger_entry (environment, payment_number)",
        ])

    private static let events = RebuiltTable(
        name: "event",
        columns: [
            "environment TEXT NOT NULL",
            "account_id TEXT NOT NULL",
            "event_number BIGINT NOT NULL",
            "bucket BIGINT NOT NULL",
            "kind TEXT NOT NULL",
            "bundle_id TEXT NOT NULL",
            "transaction_id TEXT NOT NULL",
            "at BIGINT NOT NULL DEFAULT 0",
            "changes_receipt BIGINT NOT NULL DEFAULT 1",
            "created_at BIGINT",
        ],
        constraints: ["PRIMARY KEY (environment, account_id, event_number, bucket)"],
        source: bucketed("event"),
        indexes: [
            """
            INDEX event_revoked ON event (environment, account_id, bundle_id, event_number)
            WHERE kind = 'revoked'
            """,
            """
            INDEX event_age ON event (environment, created_at, account_id, event_number, bucket)
            WHERE kind <> 'revoked'
            """,
        ])

    /// The unfinished transactions of devices. They are an account's rows: a
    /// purchase is made, finished and revoked in one transaction with them.
    static let queueEntries = RebuiltTable(
        name: "queue_entry",
        columns: [
            "environment TEXT NOT NULL",
            "device_id TEXT NOT NULL",
            "transaction_id TEXT NOT NULL",
            "bucket BIGINT NOT NULL",
            "account_id TEXT NOT NULL",
            "bundle_id TEXT NOT NULL",
            "request_id TEXT",
            "event_number BIGINT NOT NULL",
        ],
        constraints: ["PRIMARY KEY (environment, device_id, transaction_id, bucket)", referenceToPurchase],
        source: bucketed("queue_entry"),
        indexes: [
            "INDEX queue_entry_of_app ON queue_entry (environment, device_id, bundle_id, event_number)",
            // With the bucket: SQLite would else prefer the primary key, which
            // has all columns of such a statement, and read all of it.
            "INDEX queue_entry_of_transaction ON queue_entry (environment, transaction_id, bucket)",
        ])

    private static let referenceToPurchase = """
        FOREIGN KEY (environment, transaction_id, bucket) REFERENCES purchase (environment, transaction_id, bucket)
        """
}

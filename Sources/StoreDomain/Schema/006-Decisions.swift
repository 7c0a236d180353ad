// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Approvals, interruptions and refunds of purchases, barred accounts,
    /// and the storefronts in which a product isn't sold.
    static let decisions = Migration(
        "006 decisions",
        [
            "ALTER TABLE account ADD COLUMN is_barred BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE account ADD COLUMN asks_to_buy BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE account ADD COLUMN interrupts_purchases BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE request ADD COLUMN simulates_ask_to_buy BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE request ADD COLUMN deferred_at BIGINT",
            "ALTER TABLE request ADD COLUMN interrupted_at BIGINT",
            // A request gets the identifier of its future purchase when it is
            // deferred or interrupted.
            "CREATE UNIQUE INDEX request_transaction ON request (environment, transaction_id)",
            """
            CREATE INDEX request_undecided ON request (environment, transaction_id)
            WHERE status IN ('deferred', 'interrupted')
            """,
            """
            CREATE TABLE product_exclusion (
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                storefront TEXT NOT NULL,
                PRIMARY KEY (bundle_id, product_id, storefront),
                FOREIGN KEY (bundle_id, product_id) REFERENCES product (bundle_id, product_id)
            )
            """,
            "DROP INDEX payment_open",
            """
            CREATE INDEX payment_open ON payment (environment, payment_number)
            WHERE status IN ('reserved', 'committed', 'refunding')
            """,
            """
            CREATE UNIQUE INDEX ledger_refunded_once ON ledger_entry (environment, transaction_id)
            WHERE kind = 'refund'
            """,
            "CREATE INDEX purchase_of_original ON purchase (environment, original_transaction_id)",
            """
            CREATE INDEX event_revoked ON event (environment, account_id, bundle_id, event_number)
            WHERE kind = 'revoked'
            """,
        ])
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// How often each product was sold, and the products that sellers promote.
    static let sales = Migration(
        "050 sales",
        [
            // The charges of the ledger that aren't counted yet, each written
            // with its entry. `change` is -1 for a charge that was deleted in a
            // test.
            """
            CREATE TABLE uncounted_sale (
                environment TEXT NOT NULL,
                entry_id TEXT NOT NULL,
                change BIGINT NOT NULL,
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                PRIMARY KEY (environment, entry_id, change)
            )
            """,
            """
            CREATE TABLE product_sales (
                environment TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                sales BIGINT NOT NULL,
                PRIMARY KEY (environment, bundle_id, product_id)
            )
            """,
            "CREATE INDEX product_sales_top ON product_sales (environment, bundle_id, sales DESC, product_id)",
            """
            INSERT INTO product_sales (environment, bundle_id, product_id, sales)
            SELECT purchase.environment, purchase.bundle_id, purchase.product_id, count(*)
            FROM ledger_entry JOIN purchase
                ON purchase.environment = ledger_entry.environment
                AND purchase.transaction_id = ledger_entry.transaction_id AND purchase.bucket = ledger_entry.bucket
            WHERE ledger_entry.kind = 'charge'
            GROUP BY purchase.environment, purchase.bundle_id, purchase.product_id
            """,
            """
            CREATE TABLE promoted_product (
                bundle_id TEXT NOT NULL,
                place BIGINT NOT NULL,
                product_id TEXT NOT NULL,
                PRIMARY KEY (bundle_id, place)
            )
            """,
        ])
}

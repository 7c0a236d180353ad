// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Indexes for the lists that operators read page by page.
    ///
    /// Without statistics, SQLite prefers the index with the most columns that
    /// a statement compares for equality. A statement that looks purchases up
    /// by their identifiers therefore doesn't compare the app: it would read
    /// all purchases of the app.
    static let indexes = Migration(
        "017 indexes",
        [
            """
            CREATE INDEX purchase_of_account
            ON purchase (environment, account_id, bundle_id, purchased_at, transaction_id)
            """,
            // As many columns as `purchase_of_account`, so that receipts and
            // restores still use the smaller index.
            "DROP INDEX purchase_in_receipt",
            """
            CREATE INDEX purchase_in_receipt
            ON purchase (environment, account_id, bundle_id, purchased_at, transaction_id) WHERE is_in_receipt = 1
            """,
            "CREATE INDEX purchase_of_app ON purchase (environment, bundle_id, purchased_at, transaction_id)",
        ])
}

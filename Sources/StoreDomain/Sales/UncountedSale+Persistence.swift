// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension UncountedSale {
    /// Saves that a charge has to be counted, in the transaction of its ledger
    /// entry.
    static func note(_ purchase: Purchase, entry: String, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO uncounted_sale (environment, entry_id, change, bundle_id, product_id)
            VALUES ($1, $2, 1, $3, $4)
            """, [db.environment.rawValue, entry, purchase.bundleIdentifier, purchase.productIdentifier])
    }

    /// Saves that the charge of a purchase, which is deleted in this
    /// transaction, must not be counted any more.
    static func noteDeletion(of purchase: Purchase, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO uncounted_sale (environment, entry_id, change, bundle_id, product_id)
            SELECT environment, entry_id, -1, $4, $5 FROM ledger_entry
            WHERE environment = $1 AND transaction_id = $2 AND bucket = $3 AND kind = 'charge'
            """,
            [
                db.environment.rawValue, purchase.transactionIdentifier, purchase.account.bucket,
                purchase.bundleIdentifier, purchase.productIdentifier,
            ])
    }

    /// The charges that aren't counted; no time is known.
    static func backlog(_ db: StoreTransaction) throws -> Backlog {
        try Backlog(
            db.row(
                """
                SELECT count(*) AS n, CAST(NULL AS BIGINT) AS oldest FROM uncounted_sale
                WHERE environment = $1
                """, [db.environment.rawValue]))
    }

    /// Whether there is any.
    static func exists(_ db: StoreTransaction) throws -> Bool {
        try db.row(
            "SELECT 1 AS one FROM uncounted_sale WHERE environment = $1 LIMIT 1", [db.environment.rawValue]) != nil
    }

    /// Takes at most `limit` of them out of the table.
    static func take(limit: Int, _ db: StoreTransaction) throws -> [UncountedSale] {
        try db.rows(
            """
            DELETE FROM uncounted_sale
            WHERE environment = $1 AND (entry_id, change) IN (
                SELECT entry_id, change FROM uncounted_sale WHERE environment = $1 ORDER BY entry_id, change LIMIT $2)
            RETURNING bundle_id, product_id, change
            """, [db.environment.rawValue, limit]
        ).map { row in
            UncountedSale(
                app: try row.get("bundle_id"), product: try row.get("product_id"), change: try row.get("change"))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension CampaignPurchase {
    private init(_ row: Row) throws {
        self.init(subject: try Campaign.Subject(row), milliunits: try row.get("milliunits"))
    }

    private static let columns = "\(Campaign.Subject.columns), milliunits"

    /// Saves the tokens of a purchase, in the transaction of the purchase.
    static func record(_ purchase: Purchase, _ tokens: CampaignTokens?, _ db: StoreTransaction) throws {
        guard let tokens, !tokens.isEmpty else { return }
        let bought = try Item.bought(purchase.productIdentifier, in: purchase.bundleIdentifier, db)
        let item = try bought ?? Item.find(app: purchase.bundleIdentifier, db)
        let seller =
            try item?.seller
            ?? Item.seller(of: purchase.productIdentifier, in: purchase.bundleIdentifier, db).name
        let subject = Campaign.Subject(
            tokens: tokens, seller: seller, app: bought == nil ? purchase.bundleIdentifier : bought?.app,
            item: item?.identifier, currency: purchase.price.currency)
        try db.run(
            """
            INSERT INTO campaign_purchase (environment, transaction_id, bucket, \(columns), is_counted)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0)
            """,
            [db.environment.rawValue, purchase.transactionIdentifier, purchase.account.bucket] + subject.values
                + [purchase.price.milliunits])
    }

    /// The tokens of a purchase; `nil` for one without a click before it.
    static func of(_ purchase: Purchase, _ db: StoreTransaction) throws -> CampaignPurchase? {
        try db.row(
            """
            SELECT \(columns) FROM campaign_purchase
            WHERE environment = $1 AND transaction_id = $2 AND bucket = $3
            """, [db.environment.rawValue, purchase.transactionIdentifier, purchase.account.bucket]
        ).map(CampaignPurchase.init)
    }

    /// Deletes the tokens of a purchase that is deleted in this transaction,
    /// and takes the purchase out of the numbers.
    static func forget(_ purchase: Purchase, _ db: StoreTransaction) throws {
        let deleted = try db.row(
            """
            DELETE FROM campaign_purchase WHERE environment = $1 AND transaction_id = $2 AND bucket = $3
            RETURNING \(columns), is_counted
            """, [db.environment.rawValue, purchase.transactionIdentifier, purchase.account.bucket])
        guard let deleted, try deleted.get("is_counted") else { return }
        let record = try CampaignPurchase(deleted)
        try Campaign(subject: record.subject, purchases: -1, milliunits: -record.milliunits).add(db)
    }

    /// Whether any isn't counted.
    static func isUncounted(_ db: StoreTransaction) throws -> Bool {
        try db.row(
            "SELECT 1 AS one FROM campaign_purchase WHERE environment = $1 AND is_counted = 0 LIMIT 1",
            [db.environment.rawValue]) != nil
    }

    /// Marks at most `limit` of them as counted, and returns them.
    static func count(limit: Int, _ db: StoreTransaction) throws -> [CampaignPurchase] {
        try db.rows(
            """
            UPDATE campaign_purchase SET is_counted = 1
            WHERE environment = $1 AND is_counted = 0 AND (transaction_id, bucket) IN (
                SELECT transaction_id, bucket FROM campaign_purchase
                WHERE environment = $1 AND is_counted = 0 ORDER BY transaction_id, bucket LIMIT $2)
            RETURNING \(columns)
            """, [db.environment.rawValue, limit]
        ).map(CampaignPurchase.init)
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension Campaign.Subject {
    static let columns = "tokens, seller, bundle_id, item_id, currency"

    init(_ row: Row) throws {
        self.init(
            tokens: CampaignTokens(try row.get("tokens") as String), seller: try row.get("seller"),
            app: try row.get("bundle_id"), item: try row.get("item_id"), currency: try row.get("currency"))
    }

    var values: [any DatabaseValueConvertible] { [tokens.text, seller, app, item, currency] }
}

extension Campaign {
    /// Adds to the numbers of the campaign.
    func add(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO campaign (environment, campaign_id, \(Subject.columns), purchases, milliunits)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (environment, campaign_id) DO UPDATE SET
                purchases = campaign.purchases + excluded.purchases,
                milliunits = CASE WHEN campaign.milliunits + excluded.milliunits > $10 THEN $10
                    ELSE campaign.milliunits + excluded.milliunits END
            """,
            [db.environment.rawValue, identifier] + subject.values + [purchases, milliunits, Self.largest])
    }

    /// The campaigns of a seller, or of all sellers, after an identifier and in
    /// the order of the identifiers.
    static func list(
        of seller: String?, after last: String, limit: Int, _ db: StoreTransaction
    ) throws -> [Campaign] {
        let condition = seller == nil ? "" : "AND seller = $4"
        return try db.rows(
            """
            SELECT \(Subject.columns), purchases, milliunits FROM campaign
            WHERE environment = $1 AND campaign_id > $2 \(condition)
            ORDER BY campaign_id LIMIT $3
            """, [db.environment.rawValue, last, limit] + (seller.map { [$0] } ?? [])
        ).map { row in
            Campaign(
                subject: try Subject(row), purchases: try row.get("purchases"), milliunits: try row.get("milliunits"))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The tokens of the links that customers have clicked before a purchase.
    static let campaigns = Migration(
        "054 campaigns",
        [
            // The tokens of a confirmed order, until it is a purchase.
            "ALTER TABLE request ADD COLUMN tokens TEXT",
            // `bundle_id` is that of an app, for its own purchase and for those
            // in it; `item_id` that of the page of the app or medium. One of
            // both may be NULL.
            """
            CREATE TABLE campaign_purchase (
                environment TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                bucket BIGINT NOT NULL,
                tokens TEXT NOT NULL,
                seller TEXT NOT NULL,
                bundle_id TEXT,
                item_id BIGINT,
                milliunits BIGINT NOT NULL,
                currency TEXT NOT NULL,
                is_counted BIGINT NOT NULL,
                PRIMARY KEY (environment, transaction_id, bucket),
                FOREIGN KEY (environment, transaction_id, bucket)
                    REFERENCES purchase (environment, transaction_id, bucket)
            )
            """,
            """
            CREATE INDEX campaign_purchase_uncounted ON campaign_purchase (environment, transaction_id, bucket)
                WHERE is_counted = 0
            """,
            // `campaign_id` is a hash of the columns before the numbers.
            """
            CREATE TABLE campaign (
                environment TEXT NOT NULL,
                campaign_id TEXT NOT NULL,
                tokens TEXT NOT NULL,
                seller TEXT NOT NULL,
                bundle_id TEXT,
                item_id BIGINT,
                currency TEXT NOT NULL,
                purchases BIGINT NOT NULL,
                milliunits BIGINT NOT NULL,
                PRIMARY KEY (environment, campaign_id)
            )
            """,
            "CREATE INDEX campaign_of_seller ON campaign (environment, seller, campaign_id)",
        ])
}

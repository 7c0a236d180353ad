// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Prices of products that change at a moment.
    static let priceChanges = Migration(
        "030 price changes",
        [
            // The `storefront` is empty for the base price. `applied_at` is
            // NULL as long as the change is scheduled, `finished_at` as long
            // as subscribers remain to be informed. `told_after` is the last
            // subscription of the pages that are done. The columns between
            // `applied_at` and `told_after` are the values of the product and
            // of its history at `applied_at`.
            """
            CREATE TABLE price_change (
                environment TEXT NOT NULL,
                change_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                storefront TEXT NOT NULL,
                milliunits BIGINT NOT NULL,
                starts_at BIGINT NOT NULL,
                subscribers TEXT NOT NULL,
                consent TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                applied_at BIGINT,
                previous_milliunits BIGINT,
                allowance_milliunits BIGINT,
                is_repeated BIGINT,
                group_id TEXT,
                told_after TEXT,
                finished_at BIGINT,
                lease_owner TEXT,
                leased_until BIGINT NOT NULL DEFAULT 0,
                PRIMARY KEY (environment, change_id)
            )
            """,
            // One scheduled change of a product and storefront.
            """
            CREATE UNIQUE INDEX price_change_scheduled
            ON price_change (environment, bundle_id, product_id, storefront) WHERE applied_at IS NULL
            """,
            """
            CREATE INDEX price_change_of_product
            ON price_change (environment, bundle_id, product_id, starts_at, change_id)
            """,
            """
            CREATE INDEX price_change_due ON price_change (environment, starts_at, change_id)
            WHERE finished_at IS NULL
            """,
            """
            CREATE INDEX subscription_of_group
            ON subscription (environment, bundle_id, group_id, original_transaction_id)
            """,
        ])
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The orders of Connect's lists of apps, products, items and testers.
    static let listOrders = Migration(
        "077 list orders",
        [
            // When the store got the app or the product; 0 for those that it had before this migration.
            "ALTER TABLE app ADD COLUMN registered_at BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE product ADD COLUMN registered_at BIGINT NOT NULL DEFAULT 0",
            // The reference name of the item's product. An index has columns of one table only.
            "ALTER TABLE item ADD COLUMN name TEXT NOT NULL DEFAULT ''",
            """
            UPDATE item SET name = (
                SELECT product.reference_name FROM product
                WHERE product.bundle_id = 'items.openstorekit' AND product.product_id = CAST(item.item_id AS TEXT)
            )
            WHERE EXISTS (
                SELECT 1 FROM product
                WHERE product.bundle_id = 'items.openstorekit' AND product.product_id = CAST(item.item_id AS TEXT)
            )
            """,
            "CREATE INDEX app_of_team_name ON app (team_id, lower(name), bundle_id)",
            "CREATE INDEX app_of_team_age ON app (team_id, registered_at, bundle_id)",
            "CREATE INDEX product_of_app_name ON product (bundle_id, lower(reference_name), product_id)",
            "CREATE INDEX product_of_app_age ON product (bundle_id, registered_at, product_id)",
            "CREATE INDEX item_of_team_name ON item (team_id, lower(name), item_id)",
            "CREATE INDEX item_of_team_age ON item (team_id, added_at, item_id)",
            // Production has no testers, and its sign-ups needn't write it.
            """
            CREATE INDEX account_of_team_age ON account (team_id, created_at, email)
            WHERE environment = 'Sandbox' AND closed_at IS NULL
            """,
        ])
}

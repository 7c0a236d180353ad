// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The bytes that products and groups count of their app's catalogue (``AppCatalogue/largest``), and the numbers of the
    /// groups' edits.
    static let catalogueSizes = Migration(
        "088 catalogue sizes",
        [
            "ALTER TABLE product ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE subscription_group ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE subscription_group ADD COLUMN edit_number BIGINT NOT NULL DEFAULT 0",
            // Characters, and the text of the offers, are near enough: the next save of each counts its bytes.
            """
            UPDATE product SET bytes = 64 + length(reference_name) + length(COALESCE(offers, ''))
                + COALESCE((
                    SELECT SUM(64 + length(text.title) + length(text.description)) FROM product_localization AS text
                    WHERE text.bundle_id = product.bundle_id AND text.product_id = product.product_id), 0)
                + 64 * (
                    SELECT count(*) FROM product_price AS price
                    WHERE price.bundle_id = product.bundle_id AND price.product_id = product.product_id)
                + 64 * (
                    SELECT count(*) FROM product_exclusion AS exclusion
                    WHERE exclusion.bundle_id = product.bundle_id AND exclusion.product_id = product.product_id)
            """,
            """
            UPDATE subscription_group SET bytes = 64 + length(reference_name)
                + COALESCE((
                    SELECT SUM(64 + length(text.title) + length(text.description))
                    FROM subscription_group_localization AS text
                    WHERE text.bundle_id = subscription_group.bundle_id
                        AND text.group_id = subscription_group.group_id), 0)
            """,
            "CREATE INDEX product_size ON product (bundle_id, bytes, edit_number)",
        ])
}

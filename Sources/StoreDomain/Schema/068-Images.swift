// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The images of apps and products in Connect, and the visibility of
    /// promoted products.
    static let images = Migration(
        "068 images",
        [
            // `product_id` is empty for an app's own image. A database with its copies on all nodes keeps an image
            // and the row that names it in one state.
            """
            CREATE TABLE registration_image (
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                purpose TEXT NOT NULL,
                digest TEXT NOT NULL,
                type TEXT NOT NULL,
                width BIGINT NOT NULL,
                height BIGINT NOT NULL,
                size BIGINT NOT NULL,
                bytes blob NOT NULL,
                added_at BIGINT NOT NULL,
                PRIMARY KEY (bundle_id, product_id, purpose),
                FOREIGN KEY (bundle_id) REFERENCES app (bundle_id)
            )
            """,
            "ALTER TABLE promoted_product ADD COLUMN is_visible BIGINT NOT NULL DEFAULT 1",
        ])
}

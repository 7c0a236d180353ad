// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The products as they were before the changes of Connect that may not
    /// have reached the store yet.
    static let formerProducts = Migration(
        "071 former products",
        [
            // `contents` is NULL for a product that didn't exist before the change.
            """
            CREATE TABLE former_product (
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                edit_number BIGINT NOT NULL,
                replaced_at BIGINT NOT NULL,
                contents TEXT,
                PRIMARY KEY (bundle_id, product_id, edit_number)
            )
            """,
            "CREATE INDEX former_product_age ON former_product (replaced_at, bundle_id, product_id, edit_number)",
        ])
}

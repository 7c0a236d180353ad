// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The apps and products that teams register in Connect.
    static let registrations = Migration(
        "061 registrations",
        [
            "ALTER TABLE app ADD COLUMN sku TEXT",
            "ALTER TABLE app ADD COLUMN primary_locale TEXT",
            // The number of changes in Connect: an import leaves the name of a changed app alone.
            "ALTER TABLE app ADD COLUMN registration_number BIGINT NOT NULL DEFAULT 0",
            "CREATE UNIQUE INDEX app_sku ON app (team_id, sku)",
            "CREATE INDEX app_of_team ON app (team_id, bundle_id)",
            // Whether the seller has chosen a price, and wants the product to be sold; NULL for one that is sold as
            // for_sale says.
            "ALTER TABLE product ADD COLUMN has_price BIGINT NOT NULL DEFAULT 1",
            "ALTER TABLE product ADD COLUMN is_cleared BIGINT",
            // The operator's review. The products of files are approved.
            "ALTER TABLE product ADD COLUMN review_state TEXT NOT NULL DEFAULT 'approved'",
            "ALTER TABLE product ADD COLUMN review_note TEXT",
            "ALTER TABLE product ADD COLUMN review_reason TEXT",
            // When the product entered the queue of the review; NULL outside of it.
            "ALTER TABLE product ADD COLUMN submitted_at BIGINT",
            """
            CREATE INDEX product_in_review ON product (submitted_at, bundle_id, product_id)
            WHERE submitted_at IS NOT NULL
            """,
            "CREATE INDEX product_identifier ON product (product_id)",
            // The identifiers that Connect has given, also of products that are not there any more.
            """
            CREATE TABLE team_product (
                team_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                PRIMARY KEY (team_id, product_id)
            )
            """,
        ])
}

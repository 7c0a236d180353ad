// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Apps and their products. Both environments share them.
    static let catalogue = Migration(
        "001 catalogue",
        [
            """
            CREATE TABLE app (
                bundle_id TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL
            )
            """,
            """
            CREATE TABLE product (
                bundle_id TEXT NOT NULL REFERENCES app (bundle_id),
                product_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                reference_name TEXT NOT NULL,
                family_shareable BIGINT NOT NULL,
                for_sale BIGINT NOT NULL,
                milliunits BIGINT NOT NULL CHECK (milliunits >= 0),
                PRIMARY KEY (bundle_id, product_id)
            )
            """,
            """
            CREATE TABLE product_localization (
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                locale TEXT NOT NULL,
                title TEXT NOT NULL,
                description TEXT NOT NULL,
                PRIMARY KEY (bundle_id, product_id, locale),
                FOREIGN KEY (bundle_id, product_id) REFERENCES product (bundle_id, product_id)
            )
            """,
            """
            CREATE TABLE product_price (
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                storefront TEXT NOT NULL,
                milliunits BIGINT NOT NULL CHECK (milliunits >= 0),
                PRIMARY KEY (bundle_id, product_id, storefront),
                FOREIGN KEY (bundle_id, product_id) REFERENCES product (bundle_id, product_id)
            )
            """,
        ])
}

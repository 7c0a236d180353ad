// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The apps and other media that the store sells on pages of their own, and
    /// the version of each that an account has bought.
    static let items = Migration(
        "049 items",
        [
            // The title, the description and the prices are those of the
            // product `item_id` of the app `items.openstorekit`. `bundle_id` is
            // that of an app; NULL for other media.
            """
            CREATE TABLE item (
                item_id BIGINT NOT NULL PRIMARY KEY,
                kind TEXT NOT NULL,
                bundle_id TEXT,
                seller TEXT NOT NULL,
                version TEXT NOT NULL,
                link TEXT NOT NULL,
                added_at BIGINT NOT NULL
            )
            """,
            "CREATE UNIQUE INDEX item_of_app ON item (bundle_id) WHERE bundle_id IS NOT NULL",
            // The icon has the place 0, the screenshots the places from 1.
            """
            CREATE TABLE item_artwork (
                item_id BIGINT NOT NULL,
                place BIGINT NOT NULL,
                digest TEXT NOT NULL,
                type TEXT NOT NULL,
                bytes blob NOT NULL,
                PRIMARY KEY (item_id, place),
                FOREIGN KEY (item_id) REFERENCES item (item_id)
            )
            """,
            """
            CREATE TABLE item_purchase (
                environment TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                bucket BIGINT NOT NULL,
                item_id BIGINT NOT NULL,
                version TEXT NOT NULL,
                PRIMARY KEY (environment, transaction_id, bucket),
                FOREIGN KEY (environment, transaction_id, bucket)
                    REFERENCES purchase (environment, transaction_id, bucket)
            )
            """,
        ])
}

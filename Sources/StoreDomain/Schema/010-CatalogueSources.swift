// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The files from which catalogues were imported, and the last edit of
    /// each product.
    static let catalogueSources = Migration(
        "010 catalogue sources",
        [
            """
            CREATE TABLE catalogue_source (
                bundle_id TEXT NOT NULL PRIMARY KEY REFERENCES app (bundle_id),
                name TEXT NOT NULL,
                contents blob NOT NULL,
                checksum TEXT NOT NULL,
                imported_at BIGINT NOT NULL
            )
            """,
            // Earlier versions imported the file at each start, so that every
            // product was the file's.
            "ALTER TABLE product ADD COLUMN edit_source TEXT NOT NULL DEFAULT 'file'",
            "ALTER TABLE product ADD COLUMN edit_number BIGINT NOT NULL DEFAULT 1",
        ])
}

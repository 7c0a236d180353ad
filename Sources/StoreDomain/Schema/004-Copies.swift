// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Whether a store is being copied into this database: `copy_under_way`
    /// has one row until the copy is complete. A database with that row must
    /// not be served.
    static let copies = Migration(
        "004 copies",
        [
            """
            CREATE TABLE copy_under_way (
                begun_at BIGINT NOT NULL PRIMARY KEY
            )
            """
        ])
}

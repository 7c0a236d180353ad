// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Whether a store is being copied into this database. One row while it
    /// is: what is here then is not a store yet.
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

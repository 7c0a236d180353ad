// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The seeds of codes that users of Connect have made, for as long as the
    /// codes can be downloaded.
    static let codeSeeds = Migration(
        "065 code seeds",
        [
            """
            CREATE TABLE offer_code_seed (
                environment TEXT NOT NULL,
                batch_id TEXT NOT NULL,
                seed blob NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (environment, batch_id)
            )
            """,
            "CREATE INDEX offer_code_seed_age ON offer_code_seed (environment, created_at, batch_id)",
        ])
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The secrets of a store whose nodes share a database: the token of the
    /// remote control, and the shared secrets of apps.
    static let storeSecrets = Migration(
        "026 store secrets",
        [
            // Encrypted like the private keys of `signing_authority`. A change
            // increments the revision of that table.
            """
            CREATE TABLE store_secret (
                environment TEXT NOT NULL,
                name TEXT NOT NULL,
                secret blob NOT NULL,
                PRIMARY KEY (environment, name)
            )
            """
        ])
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The versions of apps.
    static let appVersions = Migration(
        "080 app versions",
        [
            // `version_number` is 1 for the app's first version, in the order in which they were added.
            """
            CREATE TABLE app_version (
                bundle_id TEXT NOT NULL,
                version TEXT NOT NULL,
                version_number BIGINT NOT NULL,
                external_identifier BIGINT NOT NULL,
                state TEXT NOT NULL,
                added_at BIGINT NOT NULL,
                released_at BIGINT,
                PRIMARY KEY (bundle_id, version),
                FOREIGN KEY (bundle_id) REFERENCES app (bundle_id)
            )
            """,
            "CREATE UNIQUE INDEX app_version_in_order ON app_version (bundle_id, version_number)",
            "CREATE UNIQUE INDEX app_version_in_receipts ON app_version (external_identifier)",
        ])
}

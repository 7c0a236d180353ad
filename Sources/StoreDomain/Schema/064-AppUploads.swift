// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Files that users of Connect have uploaded, and whose changes wait for
    /// the user's decision.
    static let appUploads = Migration(
        "064 app uploads",
        [
            // The checksum of the file that the operator has imported last, when a team has imported another one
            // since; NULL otherwise.
            "ALTER TABLE catalogue_source ADD COLUMN operator_checksum TEXT",
            """
            CREATE TABLE app_upload (
                bundle_id TEXT NOT NULL,
                user_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                name TEXT NOT NULL,
                contents blob NOT NULL,
                withdraws BIGINT NOT NULL,
                uploaded_at BIGINT NOT NULL,
                applied TEXT,
                PRIMARY KEY (bundle_id, user_id, kind)
            )
            """,
            "CREATE INDEX app_upload_age ON app_upload (uploaded_at, bundle_id, user_id, kind)",
        ])
}

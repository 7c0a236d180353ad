// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The team that has made each account of the sandbox, and the order of the
    /// sandbox's requests in an app.
    static let testers = Migration(
        "067 testers",
        [
            // The operator's team has all accounts that no other team has made, as it has the apps.
            "ALTER TABLE account ADD COLUMN team_id TEXT NOT NULL DEFAULT 'store'",
            "CREATE INDEX account_of_team ON account (environment, team_id, email) WHERE closed_at IS NULL",
            // Connect's live page reads it. Production has no such page, and its purchases needn't write it.
            """
            CREATE INDEX request_of_app ON request (bundle_id, created_at, device_id, request_id)
            WHERE environment = 'Sandbox'
            """,
        ])
}

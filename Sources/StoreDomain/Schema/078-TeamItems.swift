// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The teams of items, and the numbers of their edits.
    static let teamItems = Migration(
        "078 team items",
        [
            // Items that existed before belong to the operator's team.
            "ALTER TABLE item ADD COLUMN team_id TEXT NOT NULL DEFAULT 'store'",
            "ALTER TABLE item ADD COLUMN edit_number BIGINT NOT NULL DEFAULT 0",
            "CREATE INDEX item_of_team ON item (team_id, item_id)",
        ])
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The properties of a session by which its customer recognises and ends
    /// it.
    static let browserSessions = Migration(
        "034 browser sessions",
        [
            // They had a quarter of an hour: their customers type the
            // password again.
            "DELETE FROM sheet_session",
            "ALTER TABLE sheet_session ADD COLUMN session_id TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE sheet_session ADD COLUMN browser TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE sheet_session ADD COLUMN opened_at BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE sheet_session ADD COLUMN seen_at BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE sheet_session ADD COLUMN typed_at BIGINT NOT NULL DEFAULT 0",
        ])
}

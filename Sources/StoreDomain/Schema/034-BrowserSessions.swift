// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The properties of a session by which its customer recognises and ends
    /// it.
    static let browserSessions = Migration(
        "034 browser sessions",
        [
            "ALTER TABLE sheet_session ADD COLUMN session_id TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE sheet_session ADD COLUMN browser TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE sheet_session ADD COLUMN opened_at BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE sheet_session ADD COLUMN seen_at BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE sheet_session ADD COLUMN typed_at BIGINT NOT NULL DEFAULT 0",
            // The sessions of earlier versions end a quarter of an hour after
            // the password was typed.
            """
            UPDATE sheet_session SET session_id = substr(token_hash, 1, 16), opened_at = expires_at - 900000,
                seen_at = expires_at - 900000, typed_at = expires_at - 900000
            """,
        ])
}

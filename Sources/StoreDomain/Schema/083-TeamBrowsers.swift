// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The browsers in which users of Connect have signed in: wrong passwords that strangers type don't count there.
    static let teamBrowsers = Migration(
        "083 team browsers",
        [
            """
            CREATE TABLE team_browser (
                user_id TEXT NOT NULL REFERENCES team_user (user_id),
                token_hash TEXT NOT NULL,
                signed_in_at BIGINT NOT NULL,
                PRIMARY KEY (user_id, token_hash)
            )
            """
        ])
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The keys of teams, with which their programs sign.
    static let teamKeys = Migration(
        "062 team keys",
        [
            // The UUID that the tokens of the team's keys name as their issuer; NULL before the first key.
            "ALTER TABLE team ADD COLUMN issuer_id TEXT",
            """
            CREATE TABLE team_key (
                key_id TEXT NOT NULL PRIMARY KEY,
                team_id TEXT NOT NULL REFERENCES team (team_id),
                name TEXT NOT NULL,
                purpose TEXT NOT NULL,
                -- The role of a key for Connect's API; NULL for every other one.
                role TEXT,
                public_key blob NOT NULL,
                creator TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                revoked_at BIGINT
            )
            """,
            "CREATE INDEX team_key_of_team ON team_key (team_id, created_at, key_id)",
        ])
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The teams of Connect with their users, and the log of their changes.
    static let teams = Migration(
        "060 teams",
        [
            """
            CREATE TABLE team (
                team_id TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL,
                -- The number of the newest change in the log.
                change_number BIGINT NOT NULL,
                created_at BIGINT NOT NULL
            )
            """,
            // The operator's team has all apps that no other team has registered. It has no row before it is set up,
            // so that the column has no foreign key.
            "ALTER TABLE app ADD COLUMN team_id TEXT NOT NULL DEFAULT 'store'",
            """
            CREATE TABLE team_user (
                user_id TEXT NOT NULL PRIMARY KEY,
                team_id TEXT NOT NULL REFERENCES team (team_id),
                email TEXT NOT NULL,
                name TEXT NOT NULL,
                role TEXT NOT NULL,
                password_hash TEXT NOT NULL,
                password_number BIGINT NOT NULL,
                -- The secret of an authenticator app in hexadecimal, one that waits for its first code, and the last
                -- period whose code was used.
                code_secret TEXT,
                pending_secret TEXT,
                code_step BIGINT NOT NULL,
                created_at BIGINT NOT NULL
            )
            """,
            "CREATE UNIQUE INDEX team_user_email ON team_user (email)",
            "CREATE INDEX team_user_of_team ON team_user (team_id, email)",
            """
            CREATE TABLE recovery_code (
                user_id TEXT NOT NULL REFERENCES team_user (user_id),
                code_hash TEXT NOT NULL,
                PRIMARY KEY (user_id, code_hash)
            )
            """,
            """
            CREATE TABLE team_session (
                token_hash TEXT NOT NULL PRIMARY KEY,
                session_id TEXT NOT NULL,
                user_id TEXT NOT NULL REFERENCES team_user (user_id),
                browser TEXT NOT NULL,
                opened_at BIGINT NOT NULL,
                seen_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX team_session_of_user ON team_session (user_id, seen_at)",
            "CREATE INDEX team_session_age ON team_session (expires_at, token_hash)",
            """
            CREATE TABLE team_invitation (
                team_id TEXT NOT NULL REFERENCES team (team_id),
                email TEXT NOT NULL,
                role TEXT NOT NULL,
                inviter TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL,
                PRIMARY KEY (team_id, email)
            )
            """,
            "CREATE INDEX team_invitation_age ON team_invitation (expires_at, team_id, email)",
            """
            CREATE TABLE team_link (
                token_hash TEXT NOT NULL PRIMARY KEY,
                kind TEXT NOT NULL,
                team_id TEXT NOT NULL,
                email TEXT,
                expires_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX team_link_of ON team_link (team_id, email)",
            "CREATE INDEX team_link_age ON team_link (expires_at, token_hash)",
            """
            CREATE TABLE team_change (
                team_id TEXT NOT NULL REFERENCES team (team_id),
                change_number BIGINT NOT NULL,
                at BIGINT NOT NULL,
                user_email TEXT NOT NULL,
                kind TEXT NOT NULL,
                subject TEXT NOT NULL,
                before_value TEXT NOT NULL,
                after_value TEXT NOT NULL,
                PRIMARY KEY (team_id, change_number)
            )
            """,
            "CREATE INDEX team_change_age ON team_change (at, team_id, change_number)",
            // The invitation that a message carries.
            "ALTER TABLE mail_order ADD COLUMN team_id TEXT",
            "ALTER TABLE mail_order ADD COLUMN language TEXT",
        ])
}

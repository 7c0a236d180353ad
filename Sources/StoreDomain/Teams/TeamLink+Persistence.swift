// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

extension TeamLink {
    /// The link with a token, while it can be used. One that a wrong clock has
    /// made would be valid for too long: it is rejected.
    static func find(_ kind: Kind, _ token: String, _ db: StoreTransaction) throws -> TeamLink? {
        try db.row(
            """
            SELECT team_id, email, expires_at FROM team_link
            WHERE token_hash = $1 AND kind = $2 AND expires_at > $3 AND expires_at <= $4
            """,
            [
                Data(token.utf8).fingerprint, kind.rawValue, db.now.milliseconds,
                (db.now + lifetime(kind) + SignInThrottle.clockSkew).milliseconds,
            ]
        ).map { row in
            TeamLink(
                kind: kind, team: try row.get("team_id"), email: try row.get("email"),
                expires: WallTime(milliseconds: try row.get("expires_at")))
        }
    }

    /// Saves the link under its token. Nothing changes when the token is saved
    /// already.
    func insert(token: String, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO team_link (token_hash, kind, team_id, email, expires_at, maker)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT DO NOTHING
            """, [Data(token.utf8).fingerprint, kind.rawValue, team, email, expires.milliseconds, maker])
    }

    /// The users who have a recovery of a maker.
    static func users(
        withLinksBy maker: String, of team: TeamIdentifier, _ db: StoreTransaction
    ) throws -> [String] {
        try db.rows(
            """
            SELECT email FROM team_link
            WHERE team_id = $1 AND kind = $2 AND maker = $3 AND email IS NOT NULL ORDER BY email LIMIT $4
            """, [team, Kind.recovery.rawValue, maker, Team.users]
        ).map { try $0.get("email") }
    }

    /// Deletes the links of an invitation, or of a user.
    static func deleteAll(of team: TeamIdentifier, email: String, _ db: StoreTransaction) throws {
        try db.run("DELETE FROM team_link WHERE team_id = $1 AND email = $2", [team, email])
    }

    /// Deletes the links of a kind, before another one is saved.
    static func deleteAll(
        _ kind: Kind, of team: TeamIdentifier, email: String, _ db: StoreTransaction
    ) throws {
        try db.run(
            "DELETE FROM team_link WHERE team_id = $1 AND email = $2 AND kind = $3", [team, email, kind.rawValue])
    }

    /// Deletes the links of a team's set-up, except the newest ones.
    static func deleteSetUps(of team: TeamIdentifier, except kept: Int, _ db: StoreTransaction) throws {
        let old = try db.rows(
            """
            SELECT token_hash FROM team_link WHERE team_id = $1 AND kind = $2
            ORDER BY expires_at DESC, token_hash LIMIT 100 OFFSET $3
            """, [team, Kind.setUp.rawValue, kept])
        for row in old {
            let hash: String = try row.get("token_hash")
            try db.run("DELETE FROM team_link WHERE token_hash = $1", [hash])
        }
    }
}

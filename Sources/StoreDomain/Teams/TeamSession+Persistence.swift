// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

extension TeamSession {
    private static let columns = "session_id, user_id, browser, opened_at, seen_at, expires_at"

    private init(_ row: Row) throws {
        self.init(
            identifier: try row.get("session_id"), user: try row.get("user_id"), browser: try row.get("browser"),
            opened: WallTime(milliseconds: try row.get("opened_at")),
            seen: WallTime(milliseconds: try row.get("seen_at")),
            expires: WallTime(milliseconds: try row.get("expires_at")))
    }

    private static func hash(_ token: String) -> String { Data(token.utf8).fingerprint }

    /// The session with a token that hasn't expired. One that a wrong clock
    /// has opened would be valid for too long: it is rejected.
    static func find(_ token: String, _ db: StoreTransaction) throws -> TeamSession? {
        try db.row(
            """
            SELECT \(columns) FROM team_session WHERE token_hash = $1 AND expires_at > $2 AND expires_at <= $3
            """,
            [
                hash(token), db.now.milliseconds, (db.now + lifetime + SignInThrottle.clockSkew).milliseconds,
            ]
        ).map(TeamSession.init)
    }

    /// The sessions of a user that haven't expired, the last used first.
    static func all(of user: TeamUserIdentifier, _ db: StoreTransaction) throws -> [TeamSession] {
        try db.rows(
            """
            SELECT \(columns) FROM team_session WHERE user_id = $1 AND expires_at > $2
            ORDER BY seen_at DESC, session_id LIMIT 100
            """, [user, db.now.milliseconds]
        ).map(TeamSession.init)
    }

    /// Saves the session under its token. Nothing changes when the token is
    /// saved already.
    func insert(token: String, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO team_session (token_hash, session_id, user_id, browser, opened_at, seen_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT DO NOTHING
            """,
            [
                Self.hash(token), identifier, user, browser, opened.milliseconds, seen.milliseconds,
                expires.milliseconds,
            ])
    }

    static func noteUse(of token: String, _ db: StoreTransaction) throws {
        try db.run(
            "UPDATE team_session SET seen_at = $2 WHERE token_hash = $1", [hash(token), db.now.milliseconds])
    }

    static func end(token: String, _ db: StoreTransaction) throws {
        try db.run("DELETE FROM team_session WHERE token_hash = $1", [hash(token)])
    }

    /// Ends a session of a user. Nothing changes when there is none.
    static func end(_ identifier: String, of user: TeamUserIdentifier, _ db: StoreTransaction) throws {
        try db.run("DELETE FROM team_session WHERE user_id = $1 AND session_id = $2", [user, identifier])
    }

    /// Ends all sessions of a user, except the one with an identifier.
    static func endAll(of user: TeamUserIdentifier, except kept: String = "", _ db: StoreTransaction) throws {
        try db.run("DELETE FROM team_session WHERE user_id = $1 AND session_id <> $2", [user, kept])
    }
}

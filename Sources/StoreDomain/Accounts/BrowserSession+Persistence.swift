// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

extension BrowserSession {
    private static let columns = "session_id, account_id, browser, opened_at, seen_at, typed_at, expires_at"

    private init(_ row: Row, now: WallTime) throws {
        let typed = WallTime(milliseconds: try row.get("typed_at"))
        self.init(
            identifier: try row.get("session_id"), account: try row.get("account_id"),
            browser: try row.get("browser"), opened: WallTime(milliseconds: try row.get("opened_at")),
            seen: WallTime(milliseconds: try row.get("seen_at")), typed: typed,
            expires: WallTime(milliseconds: try row.get("expires_at")),
            isFresh: Self.isFresh(typed: typed, now: now))
    }

    /// The form of a token in the database.
    private static func hash(_ token: String) -> String { Data(token.utf8).fingerprint }

    /// The session with a token that hasn't expired.
    ///
    /// A session that was opened while the clock was wrong would be valid for
    /// too long: it is rejected. The clocks of two nodes may differ a little.
    static func find(_ token: String, _ db: StoreTransaction) throws -> BrowserSession? {
        try db.row(
            """
            SELECT \(columns) FROM sheet_session
            WHERE environment = $1 AND token_hash = $2 AND expires_at > $3 AND expires_at <= $4
            """,
            [
                db.environment.rawValue, hash(token), db.now.milliseconds,
                (db.now + lifetime + SignInThrottle.clockSkew).milliseconds,
            ]
        ).map { try BrowserSession($0, now: db.now) }
    }

    /// The sessions of an account that haven't expired, the last used first,
    /// at most a hundred.
    static func all(of account: AccountIdentifier, _ db: StoreTransaction) throws -> [BrowserSession] {
        try db.rows(
            """
            SELECT \(columns) FROM sheet_session
            WHERE environment = $1 AND account_id = $2 AND expires_at > $3
            ORDER BY seen_at DESC, session_id LIMIT 100
            """, [db.environment.rawValue, account, db.now.milliseconds]
        ).map { try BrowserSession($0, now: db.now) }
    }

    /// Saves the session under its token. Nothing changes when the token is
    /// saved already.
    func insert(token: String, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO sheet_session (environment, token_hash, account_id, account_bucket, expires_at, session_id,
                browser, opened_at, seen_at, typed_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            ON CONFLICT DO NOTHING
            """,
            [
                db.environment.rawValue, Self.hash(token), account, account.bucket, expires.milliseconds, identifier,
                browser, opened.milliseconds, seen.milliseconds, typed.milliseconds,
            ])
    }

    /// Records a use of the session.
    static func noteUse(of token: String, _ db: StoreTransaction) throws {
        try db.run(
            "UPDATE sheet_session SET seen_at = $3 WHERE environment = $1 AND token_hash = $2",
            [db.environment.rawValue, hash(token), db.now.milliseconds])
    }

    /// Ends the session with a token.
    static func end(token: String, _ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM sheet_session WHERE environment = $1 AND token_hash = $2",
            [db.environment.rawValue, hash(token)])
    }

    /// Ends a session of an account, if it hasn't ended before.
    static func end(_ identifier: String, of account: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM sheet_session WHERE environment = $1 AND account_id = $2 AND session_id = $3",
            [db.environment.rawValue, account, identifier])
    }

    /// Ends all sessions of an account.
    static func endAll(of account: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM sheet_session WHERE environment = $1 AND account_id = $2", [db.environment.rawValue, account])
    }
}

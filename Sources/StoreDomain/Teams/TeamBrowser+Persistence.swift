// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// A browser in which a user of Connect has signed in. It opens nothing: wrong passwords that are typed in it have a count
/// of their own, so that a stranger who knows the user's address can't lock out the user there.
struct TeamBrowser: Hashable, Sendable {
    /// The hash of the token in the browser's cookie.
    var hash: String

    /// The number of browsers of a user that are kept, those of the last sign-ins.
    static let limit = 20
    /// The length of a token in bytes; others are none.
    static let tokenBytes = 32

    /// A browser with a token; `nil` for a text that isn't one.
    init?(token: String) {
        guard token.utf8.count == 2 * Self.tokenBytes,
            token.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        hash = Data(token.utf8).fingerprint
    }

    /// Whether a user has signed in in this browser.
    func isKnown(to user: TeamUserIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.row("SELECT 1 AS n FROM team_browser WHERE user_id = $1 AND token_hash = $2", [user, hash]) != nil
    }

    /// Records a sign-in of a user.
    func note(_ user: TeamUserIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO team_browser (user_id, token_hash, signed_in_at) VALUES ($1, $2, $3)
            ON CONFLICT (user_id, token_hash) DO UPDATE SET signed_in_at = excluded.signed_in_at
            """, [user, hash, db.now.milliseconds])
        try db.run(
            """
            DELETE FROM team_browser WHERE user_id = $1 AND token_hash NOT IN (
                SELECT token_hash FROM team_browser WHERE user_id = $1 ORDER BY signed_in_at DESC, token_hash LIMIT $2
            )
            """, [user, Self.limit])
    }

    /// Forgets all browsers of a user.
    static func forgetAll(of user: TeamUserIdentifier, _ db: StoreTransaction) throws {
        try db.run("DELETE FROM team_browser WHERE user_id = $1", [user])
    }
}

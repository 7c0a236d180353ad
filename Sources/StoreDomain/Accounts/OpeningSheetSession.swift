// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase

/// Opens a session for a browser in which the customer has typed the
/// password, so that the password isn't asked for again for a while. The
/// session's random token is in a cookie of the store's origin.
package struct OpeningSheetSession: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The time after which the password has to be typed again.
    package static let lifetime: Duration = .seconds(15 * 60)

    /// Makes a session and returns its token.
    package func callAsFunction(for account: Account) async throws -> String {
        let token = random.hexadecimal(bytes: 32)
        try await write(.key(token)) { db in
            try db.run(
                """
                INSERT INTO sheet_session (environment, token_hash, account_id, account_bucket, expires_at)
                VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT DO NOTHING
                """,
                [
                    db.environment.rawValue, Data(token.utf8).fingerprint, account.identifier,
                    account.identifier.bucket, (now + Self.lifetime).milliseconds,
                ])
        }
        return token
    }

    /// Ends a session, because the customer has signed out.
    package func close(_ token: String) async throws {
        try await write(.key(token)) { db in
            try db.run(
                "DELETE FROM sheet_session WHERE environment = $1 AND token_hash = $2",
                [db.environment.rawValue, Data(token.utf8).fingerprint])
        }
    }

    /// The account of a session; `nil` when there is no such session, it has
    /// expired, or its account is closed.
    package func account(of token: String) async throws -> Account? {
        try await read { db in
            let row = try db.row(
                """
                SELECT account_id FROM sheet_session
                WHERE environment = $1 AND token_hash = $2 AND expires_at > $3 AND expires_at <= $4
                """,
                [
                    db.environment.rawValue, Data(token.utf8).fingerprint, db.now.milliseconds,
                    // A session that was opened while the clock was wrong
                    // would be valid for too long: it is rejected. The clocks
                    // of two nodes may differ a little.
                    (now + Self.lifetime + SignInThrottle.clockSkew).milliseconds,
                ])
            guard let row else { return nil }
            return try Account.findOpen(try row.get("account_id"), db)
        }
    }
}

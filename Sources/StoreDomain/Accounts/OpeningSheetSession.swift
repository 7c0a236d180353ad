// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// A customer's browser that has typed the password lately needn't type it
/// again: a random token, in a cookie of the store's origin, stands for it.
package struct OpeningSheetSession: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// How long a typed password counts.
    package static let lifetime: Duration = .seconds(15 * 60)

    /// Makes a session and returns its token.
    package func callAsFunction(for account: Account, now: Instant) async throws -> String {
        let token = random.hexadecimal(bytes: 32)
        try await database.write { [environment] connection in
            try connection.run(
                "DELETE FROM sheet_session WHERE environment = $1 AND expires_at <= $2",
                [environment.rawValue, now.milliseconds])
            try connection.run(
                """
                INSERT INTO sheet_session (environment, token_hash, account_id, expires_at) VALUES ($1, $2, $3, $4)
                ON CONFLICT DO NOTHING
                """,
                [
                    environment.rawValue, Data(token.utf8).fingerprint, account.identifier,
                    (now + Self.lifetime).milliseconds,
                ])
        }
        return token
    }

    /// Whose session it is; `nil` when it is nobody's, or over.
    package func account(of token: String, now: Instant) async throws -> Account? {
        try await database.read { [environment] connection in
            let row = try connection.row(
                """
                SELECT account_id FROM sheet_session
                WHERE environment = $1 AND token_hash = $2 AND expires_at > $3 AND expires_at <= $4
                """,
                [
                    environment.rawValue, Data(token.utf8).fingerprint, now.milliseconds,
                    // One that was opened by a clock that was ahead isn't valid for longer.
                    (now + Self.lifetime).milliseconds,
                ])
            guard let row else { return nil }
            return try Account.findOpen(try row.get("account_id"), environment, connection)
        }
    }
}

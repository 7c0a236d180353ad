// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// Checks a customer's password.
///
/// Wrong passwords are counted for each address, whether it has an account or
/// not: after five in a row the address has to wait, twice as long each time.
package struct SigningIn: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    static let freeTries: Int64 = 5
    static let longestPause: Int64 = 15 * 60 * 1000
    static let wrong = DomainError(.wrongPassword, "The account or the password is wrong.")

    /// - Throws: ``DomainError``: `wrongPassword` or `throttled`.
    package func callAsFunction(email: String, password: String, now: Instant) async throws -> Account {
        let email = Account.normalized(email)
        guard email.utf8.count <= Account.longestEmail, password.utf8.count <= 1000 else { throw Self.wrong }
        // Looked at and counted in one write, before the password is: many
        // tries at once don't slip through the same gap.
        let found = try await database.write { [environment] connection in
            let blockedUntil = try SignInThrottle.blockedUntil(email, environment, connection)
            if now < blockedUntil {
                let seconds = (blockedUntil.milliseconds - now.milliseconds + 999) / 1000
                throw DomainError(.throttled, "Too many wrong passwords: try again in \(seconds) s.")
            }
            try SignInThrottle.count(email, now: now, environment, connection)
            return try Account.withPassword(email: email, environment, connection)
        }
        guard try await (found?.1 ?? .ofNobody).matches(password), let account = found?.0 else { throw Self.wrong }
        try await database.write { [environment] connection in
            try SignInThrottle.forget(email, environment, connection)
        }
        return account
    }
}

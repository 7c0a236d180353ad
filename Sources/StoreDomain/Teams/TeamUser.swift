// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// A person who signs in to Connect. A user belongs to one team.
package struct TeamUser: Hashable, Sendable {
    package var identifier: TeamUserIdentifier
    package var team: TeamIdentifier
    /// In the form of ``Account/normalized(_:)``, unique in the store.
    package var email: String
    package var name: String
    package var role: TeamRole
    /// The number of changes of the password. A session that was opened with
    /// an earlier password has ended.
    package var passwordNumber: Int64 = 0
    /// Whether the sign-in needs a code of an authenticator app.
    package var usesCodes = false
    /// A secret that waits for its first code; `nil` without one.
    package var pendingSecret: OneTimePassword?
    package var joined: WallTime
    /// The key of Connect's API that acts; `nil` for a person.
    package var key: String?

    /// The largest number of characters of a user's name.
    package static let longestName = 100
    /// The lengths of a password, in characters and in bytes.
    package static let shortestPassword = 10

    /// Checks that a text can be a password.
    static func check(password: String, field: String, _ checks: inout FieldChecks) {
        if password.isEmpty {
            checks.add(field, .missing)
        } else if password.count < shortestPassword {
            checks.add(field, .tooShort, limit: shortestPassword)
        } else if password.utf8.count > SigningIn.longestPassword {
            checks.add(field, .tooLong, limit: SigningIn.longestPassword)
        }
    }

    /// Refuses the change of a team that would leave it without an account
    /// holder.
    ///
    /// - Throws: ``DomainError`` `invalid`.
    func requireOtherHolder(holders: Int) throws {
        guard role != .accountHolder || holders > 1 else {
            throw DomainError(
                .invalid, "The team needs an account holder: give another user this role first.", reason: .lastHolder)
        }
    }

    /// Whether the user may do an action, by the role and the team.
    package func may(_ action: TeamAction) -> Bool {
        role.may(action) && (!action.isOfTheOperator || team == Team.ofTheStore)
    }

    /// Refuses an action that the user's role doesn't include.
    ///
    /// - Throws: ``DomainError``: `forbidden`; `notFound` for an action of the
    ///   operator's team to a user of another one.
    package func require(_ action: TeamAction) throws {
        if action.isOfTheOperator, team != Team.ofTheStore {
            throw DomainError(.notFound, "There is no such page.")
        }
        guard role.may(action) else {
            throw DomainError(.forbidden, "Your role doesn't include this.")
        }
    }

    static let signedOut = DomainError(.forbidden, "You are signed out: sign in again.", reason: .signedOut)
    static let unknown = DomainError(.notFound, "The team has no such user.")
}

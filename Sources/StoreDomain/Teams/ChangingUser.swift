// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Changes another user of a team, or the own role: gives a role, removes the
/// user, and makes a one-time address for a new password.
package struct ChangingUser: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Gives a user another role. `before` is the role that the page showed:
    /// when another user has changed it meanwhile, nothing is changed.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `changed`, `invalid`
    ///   for the last account holder; ``InvalidFields``.
    package func setRole(
        _ typed: String, of identifier: TeamUserIdentifier, before: String, by user: TeamUser
    ) async throws {
        try user.require(.manageUsers)
        guard let role = TeamRole(rawValue: typed) else {
            throw InvalidFields(problems: [FieldProblem(field: "role", kind: typed.isEmpty ? .missing : .unknown)])
        }
        try await write(.team(user.team)) { db in
            var changed = try TeamUser.known(identifier, of: user.team, db)
            // The role is set when the closure runs again after a lost commit.
            // It may be the actor's own, who manages no users any more then.
            guard changed.role != role else { return }
            let actor = try TeamUser.acting(user, may: .manageUsers, db)
            try actor.require(changed.role.assignment)
            try actor.require(role.assignment)
            guard changed.role.rawValue == before else { throw DomainError.changed }
            try changed.requireOtherHolder(holders: try TeamUser.holders(of: user.team, db))
            changed.role = role
            try changed.update(db)
            try TeamChange.append(
                .userRole, of: changed.email, from: before, to: role.rawValue, by: actor.email, in: user.team, db)
            try EndingMakings(team: user.team, maker: changed.email, role: role, actor: actor.email)(db)
            // The maker of an address for this user may not give the new role.
            try TeamLink.deleteAll(.recovery, of: user.team, email: changed.email, db)
        }
    }

    /// Removes a user, who is signed out in all browsers.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `invalid` for the
    ///   last account holder.
    package func remove(_ identifier: TeamUserIdentifier, by user: TeamUser) async throws {
        try user.require(.manageUsers)
        try await read { db in
            _ = try TeamUser.acting(user, may: .manageUsers, db)
            _ = try TeamUser.known(identifier, of: user.team, db)
        }
        try await write(.team(user.team)) { db in
            // The user is removed when the closure runs again after a lost
            // commit. It may be the actor.
            guard let removed = try TeamUser.find(identifier, db), removed.team == user.team else { return }
            let actor = try TeamUser.acting(user, may: .manageUsers, db)
            try actor.require(removed.role.assignment)
            try removed.requireOtherHolder(holders: try TeamUser.holders(of: user.team, db))
            try removed.delete(db)
            try TeamChange.append(
                .userRemoved, of: removed.email, from: removed.role.rawValue, by: actor.email, in: user.team, db)
            try EndingMakings(team: user.team, maker: removed.email, role: nil, actor: actor.email)(db)
        }
    }

    /// Makes a one-time address with which another user chooses a new password.
    /// It replaces that user's earlier one. Users change their own password by
    /// typing the present one: a session alone isn't enough. A key of Connect's
    /// API makes none, because a program types no password.
    ///
    /// - Returns: The path of the address.
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func makeRecovery(of identifier: TeamUserIdentifier, by user: TeamUser) async throws -> String {
        try user.require(.manageUsers)
        guard identifier != user.identifier else {
            throw DomainError(.forbidden, "Change your own password on your account's page.")
        }
        guard user.key == nil else {
            throw DomainError(.forbidden, "A user makes this address on the page Users: an API key can't.")
        }
        let token = random.hexadecimal(bytes: 32)
        return try await write(.team(user.team)) { db in
            let actor = try TeamUser.acting(user, may: .manageUsers, db)
            let recovered = try TeamUser.known(identifier, of: user.team, db)
            try actor.require(recovered.role.assignment)
            try RecoveringUser.makeLink(token, for: recovered, by: actor.email, db)
            return TeamLink.path(.recovery, token)
        }
    }
}

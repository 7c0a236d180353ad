// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Makes a user of a person who was invited, by the one-time address of the
/// invitation.
package struct JoiningTeam: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The invitation of an address that can be used, with its team.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func check(_ token: String) async throws -> (invitation: TeamInvitation, team: Team) {
        let found = try await read { db -> (TeamInvitation, Team)? in
            guard let invitation = try Self.invitation(token, db), let team = try Team.find(invitation.team, db)
            else { return nil }
            return (invitation, team)
        }
        guard let found else { throw TeamLink.unknown }
        return found
    }

    private static func invitation(_ token: String, _ db: StoreTransaction) throws -> TeamInvitation? {
        guard let link = try TeamLink.find(.invitation, token, db), let email = link.email else { return nil }
        return try TeamInvitation.find(email, to: link.team, db)
    }

    /// Makes the user with the role of the invitation, and deletes the
    /// invitation.
    ///
    /// - Throws: ``DomainError`` `notFound` for an address that can't be used,
    ///   `invalid` when the team has as many users as it can have, `busy`;
    ///   ``InvalidFields``.
    package func callAsFunction(_ token: String, user typed: NewUser, from origin: String?) async throws -> TeamUser {
        let invitation = try await check(token).invitation
        var checks = FieldChecks()
        let name = typed.check(&checks)
        try checks.finish()
        let hash = try await PasswordHash(
            typed.password, salt: random.bytes(16), by: context.hashing, from: origin ?? invitation.email)
        let identifier = TeamUserIdentifier(random.hexadecimal(bytes: 16))
        return try await write(.team(invitation.team)) { db in
            // The user exists when the closure runs again after a lost commit.
            if let made = try TeamUser.find(identifier, db) { return made }
            // The invitation may have been revoked, or replaced, meanwhile.
            guard let present = try Self.invitation(token, db) else { throw TeamLink.unknown }
            try TeamUser.requireFree(present.email, db)
            guard try TeamUser.count(of: present.team, db) < Team.users else {
                throw DomainError(
                    .invalid, "A team has at most \(Team.users) users: remove one first.", reason: .teamFull)
            }
            let user = TeamUser(
                identifier: identifier, team: present.team, email: present.email, name: name, role: present.role,
                joined: db.now)
            try user.insert(passwordHash: hash, db)
            try present.delete(db)
            try TeamChange.append(
                .userJoined, of: user.email, to: user.role.rawValue, by: user.email,
                in: user.team, db)
            return user
        }
    }
}

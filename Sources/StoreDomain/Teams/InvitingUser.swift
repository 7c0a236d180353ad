// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Invites a person to a team: by a one-time address that the inviting user
/// passes on, and also by a message if the store sends messages.
package struct InvitingUser: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Invites an address in the place of its earlier invitation, whose
    /// addresses can't be used any more. The message is in `language`, such as
    /// `de`.
    ///
    /// - Returns: The path of the one-time address.
    /// - Throws: ``DomainError`` `forbidden`, `invalid` when the team has as
    ///   many users or invitations as it can have, `throttled` and `busy` for
    ///   the message; ``InvalidFields``.
    package func callAsFunction(
        email typed: String, role typedRole: String, language: String, by user: TeamUser
    ) async throws -> String {
        var checks = FieldChecks()
        let email = checks.email(typed, field: "email")
        let known = TeamRole(rawValue: typedRole)
        if known == nil { checks.add("role", typedRole.isEmpty ? .missing : .unknown) }
        try user.require(known?.assignment ?? .manageUsers)
        try checks.finish()
        guard let role = known else { throw InvalidFields(problems: []) }
        let token = random.hexadecimal(bytes: 32)
        let message = order(to: email, of: user.team, in: language)
        try await write(.team(user.team)) { db in
            let inviter = try TeamUser.acting(user, may: role.assignment, db)
            // The link exists when the closure runs again after a lost commit.
            if try TeamLink.find(.invitation, token, db) != nil { return }
            try TeamUser.requireFree(email, db)
            let earlier = try TeamInvitation.find(email, to: user.team, db)
            // An admin can't turn the invitation of an account holder into another.
            if let earlier { try inviter.require(earlier.role.assignment) }
            try Self.requireRoom(in: user.team, isNew: earlier == nil, db)
            try message?.append(counting: [.messages(to: email)], db)
            try earlier?.delete(db)
            let invitation = TeamInvitation(
                team: user.team, email: email, role: role, inviter: inviter.email, created: db.now,
                expires: db.now + TeamLink.lifetime(.invitation))
            try invitation.save(db)
            try TeamLink(kind: .invitation, team: user.team, email: email, expires: invitation.expires)
                .insert(token: token, db)
            try TeamChange.append(
                .userInvited, of: email, from: earlier?.role.rawValue ?? "", to: role.rawValue, by: inviter.email,
                in: user.team, db)
        }
        return TeamLink.path(.invitation, token)
    }

    /// Ends an open invitation.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func revoke(_ email: String, by user: TeamUser) async throws {
        try user.require(.manageUsers)
        let email = Account.normalized(email)
        try await read { db in
            _ = try TeamUser.acting(user, may: .manageUsers, db)
            guard try TeamInvitation.find(email, to: user.team, db) != nil else {
                throw DomainError(.notFound, "There is no open invitation for this address.")
            }
        }
        try await write(.team(user.team)) { db in
            let present = try TeamUser.acting(user, may: .manageUsers, db)
            // The invitation is deleted when the closure runs again after a
            // lost commit.
            guard let invitation = try TeamInvitation.find(email, to: user.team, db) else { return }
            try present.require(invitation.role.assignment)
            try invitation.delete(db)
            try TeamChange.append(
                .invitationRevoked, of: email, from: invitation.role.rawValue, by: present.email, in: user.team, db)
        }
    }

    private func order(to email: String, of team: TeamIdentifier, in language: String) -> MailOrder? {
        guard context.mail != nil, MailAddress(email) != nil else { return nil }
        return MailOrder(
            identifier: random.hexadecimal(bytes: 8), kind: .teamInvitation, recipient: email, team: team,
            language: MailLanguage(rawValue: language) ?? .english, due: now)
    }

    private static func requireRoom(in team: TeamIdentifier, isNew: Bool, _ db: StoreTransaction) throws {
        let invitations = try TeamInvitation.all(of: team, db).count
        guard !isNew || invitations < Team.invitations else {
            throw DomainError(
                .invalid, "A team has at most \(Team.invitations) open invitations: revoke one first.",
                reason: .teamFull)
        }
        guard try TeamUser.count(of: team, db) < Team.users else {
            throw DomainError(
                .invalid, "A team has at most \(Team.users) users: remove one first.", reason: .teamFull)
        }
    }
}

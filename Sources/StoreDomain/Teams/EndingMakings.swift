// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Ends the keys, the open invitations and the one-time addresses of a maker (a user, or a key of Connect's API) who may
/// not make them any more. Each of them opens a door.
///
/// It runs in the transaction that removes the user, takes a right away or revokes the key, so that nothing of it can be
/// used afterwards.
struct EndingMakings: Sendable {
    var team: TeamIdentifier
    /// The address of the user, or the name of the key, that made them.
    var maker: String
    /// The role that the maker has from now on; `nil` for none.
    var role: TeamRole?
    /// The user who takes the rights away, for the log.
    var actor: String

    func callAsFunction(_ db: StoreTransaction) throws {
        for key in try TeamKey.all(of: team, db)
        where key.creator == maker && key.revoked == nil && !may(.manageKeys, key.role) {
            try key.revoke(db)
            try TeamChange.append(.keyRevoked, of: key.subject, by: actor, in: team, db)
            try EndingMakings(team: team, maker: TeamKey.userName(key.identifier), role: nil, actor: actor)(db)
        }
        for invitation in try TeamInvitation.all(of: team, db)
        where invitation.inviter == maker && !may(.manageUsers, invitation.role) {
            try invitation.delete(db)
            try TeamChange.append(
                .invitationRevoked, of: invitation.email, from: invitation.role.rawValue, by: actor, in: team, db)
        }
        for email in try TeamLink.users(withLinksBy: maker, of: team, db) {
            guard let user = try TeamUser.find(email: email, db), !may(.manageUsers, user.role) else { continue }
            try TeamLink.deleteAll(.recovery, of: team, email: email, db)
        }
    }

    /// Whether the maker still has an action, and may give a role.
    private func may(_ action: TeamAction, _ given: TeamRole?) -> Bool {
        guard let role else { return false }
        return role.may(action) && given.map { role.may($0.assignment) } ?? true
    }
}

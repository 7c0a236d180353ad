// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Sets a user's new password by a one-time address.
package struct RecoveringUser: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Makes a one-time address for a user of any team, on behalf of the
    /// operator.
    ///
    /// - Returns: The path of the address.
    /// - Throws: ``DomainError`` `notFound`.
    package func path(forUser email: String) async throws -> String {
        let email = Account.normalized(email)
        let token = random.hexadecimal(bytes: 32)
        guard let user = try await read({ db in try TeamUser.find(email: email, db) }) else {
            throw DomainError(.notFound, "Connect has no user \(email).")
        }
        return try await write(.team(user.team)) { db in
            guard let present = try TeamUser.find(user.identifier, db) else { throw TeamUser.unknown }
            try Self.makeLink(token, for: present, by: "", db)
            return TeamLink.path(.recovery, token)
        }
    }

    /// Saves a link in the place of the user's earlier ones.
    static func makeLink(_ token: String, for user: TeamUser, by actor: String, _ db: StoreTransaction) throws {
        // The link exists when the closure runs again after a lost commit.
        if try TeamLink.find(.recovery, token, db) != nil { return }
        try TeamLink.deleteAll(.recovery, of: user.team, email: user.email, db)
        try TeamLink(
            kind: .recovery, team: user.team, email: user.email, expires: db.now + TeamLink.lifetime(.recovery),
            maker: actor
        ).insert(token: token, db)
        try TeamChange.append(.recoveryMade, of: user.email, by: actor, in: user.team, db)
    }

    /// The user of an address that can be used.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func check(_ token: String) async throws -> TeamUser {
        guard let found = try await read({ db in try Self.user(token, db) }) else { throw TeamLink.unknown }
        return found.user
    }

    private static func user(
        _ token: String, _ db: StoreTransaction
    ) throws -> (user: TeamUser, kind: TeamLink.Kind)? {
        let found = try TeamLink.find(.recovery, token, db) ?? TeamLink.find(.password, token, db)
        guard let link = found, let email = link.email, let user = try TeamUser.find(email: email, db),
            user.team == link.team
        else { return nil }
        return (user, link.kind)
    }

    /// Sets the password, and ends all sessions of the user. An address that
    /// an admin or the operator has made also ends the use of the authenticator
    /// app. Wrong passwords that were typed don't count any more, unless the
    /// user still needs codes: a mailbox alone gives no more tries to guess one.
    ///
    /// - Throws: ``DomainError``: `notFound` for an address that can't be used,
    ///   `busy`; ``InvalidFields``.
    package func callAsFunction(_ token: String, to password: String, from origin: String?) async throws {
        let user = try await check(token)
        var checks = FieldChecks()
        TeamUser.check(password: password, field: "newPassword", &checks)
        try checks.finish()
        let hash = try await PasswordHash(
            password, salt: random.bytes(16), by: context.hashing, from: origin ?? user.email)
        try await write(.team(user.team)) { db in
            // The password is set when the closure runs again after a lost
            // commit.
            if try TeamUser.secrets(of: user.identifier, db)?.password == hash { return }
            guard let (present, kind) = try Self.user(token, db), present.identifier == user.identifier else {
                throw TeamLink.unknown
            }
            try present.setPassword(hash, db)
            if kind == .recovery { try present.setCodes(nil, step: 0, db) }
            try TeamLink.deleteAll(of: present.team, email: present.email, db)
            if kind == .recovery || !present.usesCodes { try SignInThrottle.forget(.teamUser(present.email), db) }
            try TeamChange.append(.recovered, of: present.email, by: present.email, in: present.team, db)
        }
    }
}

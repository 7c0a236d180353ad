// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Makes, lists and revokes the keys of a team.
package struct ManagingTeamKeys: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A new key, with the private part that the store doesn't keep.
    package struct Made: Sendable {
        package var key: TeamKey
        /// A private key of P-256 in PEM (PKCS #8): the content of a `.p8`
        /// file.
        package var privateKey: String
        /// The UUID that the key's tokens name as their issuer.
        package var issuer: String
    }

    /// The keys of a team, the valid ones first, and the issuer of their
    /// tokens.
    ///
    /// - Throws: ``DomainError`` `forbidden`.
    package func callAsFunction(as user: TeamUser) async throws -> (keys: [TeamKey], issuer: String?) {
        try user.require(.manageKeys)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .manageKeys, db)
            let keys = try TeamKey.all(of: actor.team, db)
            return (
                keys.filter { $0.revoked == nil } + keys.filter { $0.revoked != nil },
                try Team.issuer(of: actor.team, db)
            )
        }
    }

    /// The keys of the files of the team's apps, which sign promotional offers
    /// of their app.
    ///
    /// - Throws: ``DomainError`` `forbidden`.
    package func ofFiles(as user: TeamUser) async throws -> [InAppPurchaseKey] {
        try user.require(.manageKeys)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .manageKeys, db)
            return try InAppPurchaseKey.ofFiles(of: actor.team, db)
        }
    }

    /// Revokes the key of an app's file: offers that it has signed aren't
    /// accepted any more.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func revoke(_ identifier: String, ofFileOf app: BundleIdentifier, by user: TeamUser) async throws {
        try user.require(.manageKeys)
        try await write(.catalogue(of: app)) { db in
            let actor = try TeamUser.acting(user, may: .manageKeys, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            let keys = try InAppPurchaseKey.ofFiles(of: actor.team, db)
            guard keys.contains(where: { $0.identifier == identifier && $0.bundleIdentifier == app }) else {
                throw DomainError(.notFound, "The app's file has no such key.")
            }
            guard try InAppPurchaseKey.revoke(identifier, ofFileOf: app, db) else { return }
            try TeamChange.append(
                .keyRevoked, of: "\(identifier) (\(app))", by: actor.email, in: actor.team, db)
        }
    }

    /// Makes a key. The role is that of a key for Connect's API, and is
    /// ignored for others.
    ///
    /// - Throws: ``DomainError``: `forbidden`, also for a role that the user
    ///   can't give; `invalid` when the team has as many valid keys as it can
    ///   have; ``InvalidFields``.
    package func make(
        named typed: String, for typedPurpose: String, role typedRole: String, by user: TeamUser
    ) async throws -> Made {
        try user.require(.manageKeys)
        var checks = FieldChecks()
        let name = checks.text(typed, field: "name", longest: TeamKey.longestName)
        let purpose = TeamKey.Purpose(rawValue: typedPurpose)
        if purpose == nil { checks.add("purpose", typedPurpose.isEmpty ? .missing : .unknown) }
        let role = purpose == .connect ? TeamRole(rawValue: typedRole) : nil
        if purpose == .connect, role == nil { checks.add("role", typedRole.isEmpty ? .missing : .unknown) }
        if let role { try user.require(role.assignment) }
        try checks.finish()
        let pair = try InAppPurchaseKey.Pair(random)
        let key = TeamKey(
            identifier: pair.identifier, team: user.team, name: name, purpose: purpose ?? .connect, role: role,
            publicKey: pair.publicKey, creator: user.email, created: now)
        let drawn = random.uuid()
        let issuer = try await write(.team(user.team)) { db in
            let actor = try TeamUser.acting(user, may: .manageKeys, db)
            if let role { try actor.require(role.assignment) }
            let issuer = try Team.issuer(of: user.team, orElse: drawn, db)
            // The key exists when the closure runs again after a lost commit.
            if try TeamKey.find(key.identifier, db) != nil { return issuer }
            try Self.makeRoom(in: user.team, db)
            try key.insert(db)
            let rights = [key.purpose.rawValue, role?.rawValue].compactMap { $0 }.joined(separator: ": ")
            try TeamChange.append(.keyMade, of: key.subject, to: rights, by: actor.email, in: user.team, db)
            return issuer
        }
        return Made(key: key, privateKey: pair.privateKey, issuer: issuer)
    }

    /// Deletes the oldest revoked key if the team has too many of them.
    private static func makeRoom(in team: TeamIdentifier, _ db: StoreTransaction) throws {
        let keys = try TeamKey.all(of: team, db)
        let revoked = keys.filter { $0.revoked != nil }
        guard keys.count - revoked.count < TeamKey.limit else {
            throw DomainError(
                .invalid, "A team has at most \(TeamKey.limit) valid keys: revoke one first.", reason: .keysFull)
        }
        if keys.count == TeamKey.limit + TeamKey.revokedLimit { try revoked.first?.delete(db) }
    }

    /// Revokes a key: its signatures aren't accepted any more.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func revoke(_ identifier: String, by user: TeamUser) async throws {
        try user.require(.manageKeys)
        try await write(.team(user.team)) { db in
            let key = try TeamKey.known(identifier, of: user.team, db)
            // The key is revoked when the closure runs again after a lost
            // commit. It may be the one that acts.
            guard key.revoked == nil else { return }
            let actor = try TeamUser.acting(user, may: .manageKeys, db)
            if let role = key.role { try actor.require(role.assignment) }
            try key.revoke(db)
            try TeamChange.append(.keyRevoked, of: key.subject, by: actor.email, in: user.team, db)
            let name = TeamKey.userName(key.identifier)
            try EndingMakings(team: user.team, maker: name, role: nil, actor: actor.email)(db)
        }
    }
}

extension TeamKey {
    /// The key's text in the log.
    var subject: String { "\(name) (\(identifier))" }
}

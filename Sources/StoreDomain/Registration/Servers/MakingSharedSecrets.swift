// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads and makes the shared secrets of a team's apps in Connect.
///
/// They are rows of `store_secret`, beside those of ``SharingSecrets``, and
/// have the protection of the authority's private keys if these are in the
/// database too. Both environments have the same secret. An app's secret is
/// another row than that of `storectl serve --shared-secret`, and both hold.
package struct MakingSharedSecrets: UseCase {
    package let context: StoreContext
    package let protection: AuthorityProtection

    package init(_ context: StoreContext, protection: AuthorityProtection) {
        self.context = context
        self.protection = protection
    }

    /// The secrets that `/verifyReceipt` accepts for an app.
    ///
    /// After `authority encrypt` a node with the earlier key can't read the
    /// rows. Until it is started again, it uses those of `known`, which it has
    /// read before.
    ///
    /// - Throws: `DatabaseError`; ``DomainError`` `authority` when they are
    ///   encrypted with another key, and `known` has none for the app.
    package func accepted(for app: BundleIdentifier, orOf known: StoreSecrets? = nil) async throws -> SharedSecrets {
        try await read { db in
            guard let team = try AppRegistration.team(of: app, db) else { return SharedSecrets() }
            do {
                return try secrets(of: app, in: team, db)
            } catch let error as DomainError where error.code == .authority {
                // Without any secret, each password would be accepted.
                guard let made = known?.made(for: app, in: team), !made.isEmpty else { throw error }
                return made
            }
        }
    }

    /// The secrets of an app of the team.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `authority`.
    package func callAsFunction(of app: BundleIdentifier, as user: TeamUser) async throws -> SharedSecrets {
        try user.require(.manageServers)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .manageServers, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            return try secrets(of: app, in: actor.team, db)
        }
    }

    /// Makes the secret of an app, or the team's master secret, in the place of
    /// an earlier one, which isn't valid any more. `version` is that of the page
    /// with the form.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `authority`,
    ///   `changed` if another user has made one meanwhile.
    package func make(
        _ owner: SharedSecrets.Owner, version: String, of app: BundleIdentifier, by user: TeamUser
    ) async throws {
        try user.require(.manageServers)
        let secret = random.hexadecimal(bytes: 16)
        let name = Self.name(of: owner, app, user.team)
        let rows = try StoreEnvironment.all.map {
            try SecretRow(secret, name: name, of: $0, protection, random: random)
        }
        try await write(.key("store_secret")) { [identifier = protection.identifier] db in
            try Team.hold(user.team, db)
            let actor = try TeamUser.acting(user, may: .manageServers, db)
            _ = try AppRegistration.known(app, of: user.team, db)
            let present = try secrets(of: app, in: user.team, db)
            // It is saved when the closure runs again after a lost commit.
            guard present[owner] != secret else { return }
            guard present.version(of: owner) == version else { throw DomainError.changed }
            if try AuthorityHeader.find(db) != nil {
                // `authority encrypt` may have changed the protection.
                guard try AuthorityHeader.increment(ifEncryptedWith: identifier, db) else {
                    throw DomainError(.authority, "The authority was changed meanwhile: start the store again.")
                }
            }
            for row in rows { try row.save(db) }
            let subject = owner == .app ? app.rawValue : ""
            try TeamChange.append(.sharedSecret, of: subject, by: actor.email, in: user.team, db)
        }
    }

    private static func name(
        of owner: SharedSecrets.Owner, _ app: BundleIdentifier, _ team: TeamIdentifier
    ) -> StoreSecrets.Name {
        owner == .app ? .madeSecret(app) : .masterSecret(team)
    }

    private func secrets(
        of app: BundleIdentifier, in team: TeamIdentifier, _ db: StoreTransaction
    ) throws -> SharedSecrets {
        let names = SharedSecrets.Owner.allCases.map { Self.name(of: $0, app, team) }
        let rows = try SecretRow.find(names, of: db.environment, db)
        if !rows.isEmpty, let header = try AuthorityHeader.find(db) {
            try protection.check(against: header.encryptedWith)
        }
        func secret(_ name: StoreSecrets.Name) throws -> String? {
            try rows.first { $0.name == name.stored }?.read(protection)
        }
        return SharedSecrets(app: try secret(names[0]), master: try secret(names[1]))
    }
}

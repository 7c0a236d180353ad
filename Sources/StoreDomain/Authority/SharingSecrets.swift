// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Opens the secrets in a store's database, which all nodes of the store
/// share. The first node that inserts the row of the control token makes it;
/// the others use the same one.
///
/// The secrets have the protection of the authority's private keys. A change
/// increments the authority's revision: the nodes find it by that number, and
/// `authority encrypt` notices a change that meets it.
package struct SharingSecrets: UseCase {
    package let context: StoreContext
    package let protection: AuthorityProtection

    package init(_ context: StoreContext, protection: AuthorityProtection) {
        self.context = context
        self.protection = protection
    }

    /// The secrets as of a revision of the authority.
    package struct Known: Sendable {
        /// The number of changes that the authority had when the secrets were
        /// read. A node reads them again when the number differs.
        package var revision: Int
        package var secrets: StoreSecrets
    }

    /// Reads the secrets, after it has made the control token and changed the
    /// shared secrets of apps.
    ///
    /// `token` is the one that this node used before the database had one. It
    /// becomes the store's, unless another node was first. The secrets of
    /// `setting` replace those in the database, also for the nodes that run,
    /// and the apps of `removing` lose theirs.
    ///
    /// - Throws: ``DomainError`` `authority` when there is no authority or its
    ///   keys are protected in another way, `DatabaseError`.
    package func callAsFunction(
        takingOver token: String? = nil, setting: [BundleIdentifier: String] = [:],
        removing: Set<BundleIdentifier> = []
    ) async throws -> Known {
        let change = StoreSecretsChange(
            of: try await read().secrets, token: token ?? random.hexadecimal(bytes: 32), setting: setting,
            removing: removing)
        if !change.isEmpty { try await carryOut(change) }
        // Another node's control token may have been first. Keys that were
        // encrypted with another key meanwhile are refused here.
        let (revision, found) = try await read()
        guard let secrets = StoreSecrets(found) else {
            throw DomainError(.authority, "The authority was changed meanwhile: start the store again.")
        }
        return Known(revision: revision, secrets: secrets)
    }

    /// Reads the secrets if the authority doesn't have this revision.
    ///
    /// - Throws: The errors of `callAsFunction`.
    package func read(ifNot revision: Int) async throws -> Known? {
        guard try await read({ try AuthorityHeader.found($0).revision }) != revision else { return nil }
        let (revision, found) = try await read()
        return StoreSecrets(found).map { Known(revision: revision, secrets: $0) }
    }

    private func read() async throws -> (revision: Int, secrets: [StoreSecrets.Name: String]) {
        let (header, rows) = try await read { db in
            (try AuthorityHeader.found(db), try SecretRow.all(of: db.environment, db))
        }
        try protection.check(against: header.encryptedWith)
        var secrets: [StoreSecrets.Name: String] = [:]
        for row in rows {
            // A newer version may have others.
            guard let name = StoreSecrets.Name(stored: row.name) else { continue }
            secrets[name] = try row.read(protection)
        }
        return (header.revision, secrets)
    }

    private func carryOut(_ change: StoreSecretsChange) async throws {
        var token: SecretRow?
        var rows: [SecretRow] = []
        for (name, secret) in change.saved.sorted(by: { $0.key.stored < $1.key.stored }) {
            let row = try SecretRow(secret, name: name, of: environment, protection, random: random)
            if name == .controlToken { token = row } else { rows.append(row) }
        }
        try await write(.key("store_secret")) { [token, rows, identifier = protection.identifier] db in
            guard try AuthorityHeader.increment(ifEncryptedWith: identifier, db) else { return }
            try token?.insertIfAbsent(db)
            for row in rows { try row.save(db) }
            for name in change.removed { try SecretRow.delete(name, of: db.environment, db) }
        }
    }
}

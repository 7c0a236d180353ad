// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDatabase
import StoreDomain

/// The place of a store's authority. A PostgreSQL store has it in its
/// database, which its nodes share. A SQLite store has it in its folder, unless
/// a copy has brought one into the database.
struct StoredAuthority {
    var directory: StoreDirectory
    var key: AuthorityKeyOptions
    var environment: [String: String]

    private var operatorKeys: OperatorKeys { .environment(environment) }

    /// Opens the authority of a store that is about to be served, and makes it
    /// at the first start.
    ///
    /// - Throws: ``CommandFailure``, `DomainError`, `DatabaseError`,
    ///   `AppReceiptError`.
    func openOrMake(
        _ context: StoreContext, at location: DatabaseLocation, profile: SigningAuthority.Profile
    ) async throws -> SigningAuthority {
        let isInDatabase = try await AuthorityRows.exist(in: context.database)
        if isInDatabase || location.isShared {
            let opening = OpeningAuthority(
                context, protection: try key.protection(environment), keys: operatorKeys, profile: profile)
            let opened = try opening(takingOver: directory.authorityURL)
            report(opened.files)
            return opened.authority
        }
        try refuseKeyForFiles()
        var drawing = context.random.drawing
        return try SigningAuthority.loadOrCreate(
            directory: directory.authorityURL, profile: profile, keys: operatorKeys, using: &drawing)
    }

    /// Loads the authority for a command. A running store uses the changes
    /// that the command makes.
    ///
    /// - Throws: ``CommandFailure``, `DomainError`, `DatabaseError`,
    ///   `AppReceiptError`.
    func load(at location: DatabaseLocation) async throws -> SigningAuthority {
        if let rows = try await rows(at: location) { return try SigningAuthority(in: rows, keys: operatorKeys) }
        try refuseKeyForFiles()
        return try SigningAuthority(directory: directory.authorityURL, keys: operatorKeys)
    }

    /// The rows of the authority; `nil` if it is in the folder, as that of a
    /// SQLite file without tables is.
    ///
    /// - Throws: ``CommandFailure``, `DomainError`, `DatabaseError`.
    func rows(at location: DatabaseLocation) async throws -> AuthorityRows? {
        guard location.isShared || location.exists else { return nil }
        let database = try location.open()
        guard try await AuthorityRows.exist(in: database) else {
            try database.close()
            guard location.isShared else { return nil }
            throw CommandFailure("There is no signing authority in this database: start the store once.")
        }
        guard let protection = try key.protection(environment) else { throw AuthorityProtection.missing }
        return AuthorityRows(database, protection: protection, random: SystemDependencies.random)
    }

    /// Refuses a protection that would have no effect.
    private func refuseKeyForFiles() throws {
        guard key.isGiven else { return }
        throw CommandFailure(
            """
            The signing authority of this store is files in \(directory.authorityURL.path), which are not encrypted: \
            leave out --authority-key and --plain-authority.
            """)
    }

    private func report(_ files: OpeningAuthority.Files) {
        let path = directory.authorityURL.path
        switch files {
        case .none: break
        case .takenOver:
            say(
                """
                The signing authority in \(path) was copied into the database, which is used from now on. The files \
                were left in place: make a backup of them, then remove them.
                """)
        case .ofAnother:
            say(
                """
                The signing authority in \(path) isn't that of the database, and isn't used: apps that trust its root \
                refuse this store's receipts. If it is the right one, see docs/postgresql.md.
                """)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
import Foundation
package import StoreDatabase

/// A signing authority in the rows of a store's database, which all nodes of
/// the store share.
///
/// The first node that inserts the row of `signing_authority` makes the
/// authority; the others use its certificates. A change is written only if the
/// revision and the operator's key are still those that were read, and is
/// decided again otherwise. A node finds the changes of another by comparing the revision
/// (``read(ifNot:)``).
package struct AuthorityRows: AuthorityStorage {
    let database: any Database
    let protection: AuthorityProtection
    let random: RandomSource

    package init(_ database: any Database, protection: AuthorityProtection, random: RandomSource) {
        self.database = database
        self.protection = protection
        self.random = random
    }

    package var name: String { "the database" }

    /// Whether a database has an authority. An empty database and that of an
    /// older version have none.
    ///
    /// - Throws: `DatabaseError` when the database can't be read. A store must
    ///   not make another authority then.
    package static func exist(in database: any Database) async throws -> Bool {
        guard try await Schema.has(Schema.authority, in: database) else { return false }
        return try await database.read { try AuthorityHeader.find($0) != nil }
    }

    /// Reads the authority.
    ///
    /// - Throws: `DatabaseError`; ``DomainError`` `authority` when its keys
    ///   are protected in another way.
    package func read() throws -> AuthorityRecord? {
        try record(of: try database.read { try EncodedAuthority.find($0) })
    }

    package func read(ifNot revision: Int) async throws -> AuthorityRecord? {
        let found = try await database.read { connection -> EncodedAuthority? in
            let header = try AuthorityHeader.found(connection)
            return header.revision == revision ? nil : try EncodedAuthority.find(connection)
        }
        return try record(of: found)
    }

    @discardableResult
    package func create(_ record: AuthorityRecord, using random: inout some RandomNumberGenerator) throws -> Bool {
        let encoded = try EncodedAuthority(record, protection, random: self.random)
        return try database.write { [protection, random = self.random] db in
            guard try encoded.insert(db) else { return false }
            // Sellers' secrets of a store whose authority was files are plain.
            for row in try SecretRow.all(db) {
                try row.protected(by: protection, insteadOf: .plain, random: random).save(db)
            }
            return true
        }
    }

    package func change(_ body: (inout AuthorityRecord) throws -> Void) throws -> AuthorityRecord {
        while true {
            guard let before = try read() else {
                throw DomainError(.authority, "The database has no signing authority: start the store first.")
            }
            var record = before
            try body(&record)
            guard record != before else { return before }
            let changed = record.entries.filter { $0.value != before.entries[$0.key] }
            let change = AuthorityChange(
                header: header(of: before), index: record.index,
                entries: try EncodedAuthority(
                    AuthorityRecord(entries: changed, index: record.index), protection, random: random
                ).entries)
            // Otherwise another node was faster: decide again on its state,
            // or refuse if it has encrypted the keys with another key.
            if try database.write({ try change.carryOut($0) }) { return record }
        }
    }

    package func stamp() -> AuthorityStamp? { nil }

    /// Encrypts all private keys, and the store's secrets, with another key,
    /// or the first one.
    /// Processes that have read the authority before continue to sign; each
    /// needs the new key at its next start, and after the next change.
    ///
    /// - Throws: `DatabaseError`; ``DomainError`` `authority` when the keys
    ///   are protected in another way than this storage's, or when the
    ///   authority was changed meanwhile.
    package func encrypt(with key: AuthorityKey) throws {
        let (found, secrets) = try database.read { (try EncodedAuthority.find($0), try SecretRow.all($0)) }
        guard let record = try record(of: found) else {
            throw DomainError(.authority, "The database has no signing authority: start the store first.")
        }
        let new = AuthorityProtection.encrypted(key)
        let encoded = try EncodedAuthority(record, new, random: random)
        let encrypted = try secrets.map { try $0.protected(by: new, insteadOf: protection, random: random) }
        let old = header(of: record)
        let isDone = try database.write { try encoded.replaceKeys(encrypted, ifStill: old, $0) }
        guard isDone else {
            throw DomainError(.authority, "The authority was changed meanwhile: run the command again.")
        }
    }

    /// The header of a record that was read: its keys have this storage's
    /// protection.
    private func header(of record: AuthorityRecord) -> AuthorityHeader {
        AuthorityHeader(revision: record.index.revision, encryptedWith: protection.identifier)
    }

    private func record(of found: EncodedAuthority?) throws -> AuthorityRecord? {
        guard let found else { return nil }
        try protection.check(against: found.header.encryptedWith)
        return AuthorityRecord(
            entries: try found.entries.reduce(into: [:]) { entries, row in
                entries[row.name] = AuthorityRecord.Entry(
                    certificate: row.certificate, key: try row.key.map { try protection.read($0, of: row.name) })
            }, index: found.index)
    }
}

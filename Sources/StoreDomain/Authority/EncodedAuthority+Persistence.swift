// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDatabase

/// The row that is compared to find out whether the authority was changed, or
/// its keys encrypted in another way.
struct AuthorityHeader: Sendable {
    var revision: Int
    /// The identifier of the operator's key; `nil` if the keys are plain.
    var encryptedWith: String?

    static func find(_ db: any Connection) throws -> AuthorityHeader? {
        try db.row("SELECT revision, encrypted_with FROM signing_authority").map { row in
            AuthorityHeader(revision: try row.get("revision"), encryptedWith: try row.get("encrypted_with"))
        }
    }

    /// The header of a store that has an authority.
    ///
    /// - Throws: ``DomainError`` `authority` when there is none.
    static func found(_ db: any Connection) throws -> AuthorityHeader {
        guard let header = try find(db) else {
            throw DomainError(.authority, "The database has no signing authority any more: restore a backup.")
        }
        return header
    }

    /// Increments the revision, so that other nodes read again, unless the
    /// keys are encrypted with another operator's key.
    ///
    /// - Returns: Whether it was incremented.
    static func increment(ifEncryptedWith identifier: String?, _ db: any Connection) throws -> Bool {
        let updated = try db.run(
            """
            UPDATE signing_authority SET revision = revision + 1
            WHERE authority_id = 1 AND COALESCE(encrypted_with, '') = COALESCE($1, '')
            """, [identifier])
        return updated == 1
    }

    /// Replaces this header, unless the row has another revision or another
    /// operator's key by now. `authority encrypt` keeps the revision: without
    /// the second comparison a change would add keys of the old protection.
    ///
    /// - Returns: Whether it was replaced.
    func replace(with new: AuthorityHeader, _ db: any Connection) throws -> Bool {
        let updated = try db.run(
            """
            UPDATE signing_authority SET revision = $3, encrypted_with = $4
            WHERE authority_id = 1 AND revision = $1 AND COALESCE(encrypted_with, '') = COALESCE($2, '')
            """, [revision, encryptedWith, new.revision, new.encryptedWith])
        return updated == 1
    }
}

/// An authority with its private keys as the rows contain them.
struct EncodedAuthority: Sendable {
    /// A row of `authority_certificate`.
    struct Entry: Sendable {
        var name: String
        var certificate: String
        var key: Data?
    }

    var header: AuthorityHeader
    var entries: [Entry]
    var index: AuthorityIndex

    /// Encodes a record. The random values are drawn here, so that a
    /// transaction that runs twice writes the same.
    init(_ record: AuthorityRecord, _ protection: AuthorityProtection, random: RandomSource) throws {
        header = AuthorityHeader(revision: record.index.revision, encryptedWith: protection.identifier)
        index = record.index
        entries = try record.entries.sorted { $0.key < $1.key }.map { name, entry in
            Entry(
                name: name, certificate: entry.certificate,
                key: try entry.key.map { try protection.store($0, of: name, random: random) })
        }
    }

    private init(_ header: AuthorityHeader, _ db: any Connection) throws {
        self.header = header
        entries = try db.rows("SELECT name, certificate, private_key FROM authority_certificate ORDER BY name").map {
            Entry(name: try $0.get("name"), certificate: try $0.get("certificate"), key: try $0.get("private_key"))
        }
        index = try AuthorityIndex.load(db)
        index.revision = header.revision
    }

    static func find(_ db: any Connection) throws -> EncodedAuthority? {
        try AuthorityHeader.find(db).map { try EncodedAuthority($0, db) }
    }

    /// Inserts all rows, unless there is an authority.
    ///
    /// - Returns: Whether they were inserted.
    func insert(_ db: any Connection) throws -> Bool {
        let inserted = try db.run(
            """
            INSERT INTO signing_authority (authority_id, revision, encrypted_with) VALUES (1, $1, $2)
            ON CONFLICT (authority_id) DO NOTHING
            """, [header.revision, header.encryptedWith])
        guard inserted == 1 else { return false }
        for entry in entries { try entry.save(db) }
        try index.save(db)
        return true
    }

    /// Replaces the private keys and the store's secrets, unless the authority
    /// or a secret was changed, or they were encrypted, after `old` was read.
    ///
    /// - Returns: Whether they were replaced.
    func replaceKeys(_ secrets: [SecretRow], ifStill old: AuthorityHeader, _ db: any Connection) throws -> Bool {
        guard try old.replace(with: header, db) else { return false }
        for entry in entries { try entry.save(db) }
        for secret in secrets { try secret.save(db) }
        return true
    }
}

/// A change of an authority that has a certain revision and protection.
struct AuthorityChange: Sendable {
    var header: AuthorityHeader
    var index: AuthorityIndex
    /// The entries that are new or changed.
    var entries: [EncodedAuthority.Entry]

    /// Writes the change, unless the authority was changed or encrypted after
    /// its header was read.
    ///
    /// - Returns: Whether it was written.
    func carryOut(_ db: any Connection) throws -> Bool {
        let new = AuthorityHeader(revision: index.revision, encryptedWith: header.encryptedWith)
        guard try header.replace(with: new, db) else { return false }
        for entry in entries { try entry.save(db) }
        try index.save(db)
        return true
    }
}

extension EncodedAuthority.Entry {
    fileprivate func save(_ db: any Connection) throws {
        try db.run(
            """
            INSERT INTO authority_certificate (name, certificate, private_key) VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET certificate = excluded.certificate, private_key = excluded.private_key
            """, [name, certificate, key])
    }
}

extension AuthorityIndex {
    /// The leaves and revocations, without the revision.
    fileprivate static func load(_ db: any Connection) throws -> AuthorityIndex {
        var index = AuthorityIndex()
        for row in try db.rows(
            "SELECT serial_number, purpose, environment, is_retired FROM authority_leaf ORDER BY place")
        {
            let leaf = Leaf(slot: try LeafSlot(row), serialNumber: try serialNumber(row))
            if try row.get("is_retired") { index.retired.append(leaf) } else { index.leaves.append(leaf) }
        }
        index.revoked = try db.rows(
            "SELECT serial_number, revoked_at, reason FROM authority_revocation ORDER BY place"
        ).map { row in
            Revocation(
                serialNumber: try serialNumber(row), date: WallTime(milliseconds: try row.get("revoked_at")).date,
                reason: Revocation.Reason(rawValue: try row.get("reason")))
        }
        return index
    }

    /// Replaces the rows of leaves, and adds those of new revocations: a
    /// revocation never changes.
    fileprivate func save(_ db: any Connection) throws {
        try db.run("DELETE FROM authority_leaf")
        for (isRetired, list) in [(false, leaves), (true, retired)] {
            for (place, leaf) in list.enumerated() {
                try db.run(
                    """
                    INSERT INTO authority_leaf (serial_number, purpose, environment, place, is_retired)
                    VALUES ($1, $2, $3, $4, $5)
                    """,
                    [
                        leaf.serialNumber.description, leaf.slot.purpose.rawValue, leaf.slot.environment.rawValue,
                        place, isRetired,
                    ])
            }
        }
        for (place, revocation) in revoked.enumerated() {
            try db.run(
                """
                INSERT INTO authority_revocation (serial_number, place, revoked_at, reason) VALUES ($1, $2, $3, $4)
                ON CONFLICT (serial_number) DO NOTHING
                """,
                [
                    revocation.serialNumber.description, place, WallTime(revocation.date).milliseconds,
                    revocation.reason.rawValue,
                ])
        }
    }
}

private func serialNumber(_ row: Row) throws -> SerialNumber {
    guard let number = SerialNumber(hexadecimal: try row.get("serial_number")) else { throw damaged("serial number") }
    return number
}

extension LeafSlot {
    fileprivate init(_ row: Row) throws {
        guard let purpose = Purpose(rawValue: try row.get("purpose")),
            let environment = Environment(rawValue: try row.get("environment"))
        else { throw damaged("leaf") }
        self.init(purpose: purpose, environment: environment)
    }
}

private func damaged(_ value: String) -> DomainError {
    DomainError(.authority, "A \(value) of the signing authority in the database is damaged: restore a backup.")
}

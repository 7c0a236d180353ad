// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// A row of `store_secret`, whose secret is protected like the private keys of
/// the authority.
struct SecretRow: Sendable {
    var environment: StoreEnvironment
    var name: String
    var secret: Data

    /// The text that is authenticated with the secret, so that two rows can't
    /// be exchanged. No certificate has such a name.
    private var authenticated: String { "\(environment.rawValue) \(name)" }

    /// Encodes a secret. The nonce is drawn here, so that a transaction that
    /// runs twice writes the same.
    init(
        _ secret: String, name: StoreSecrets.Name, of environment: StoreEnvironment,
        _ protection: AuthorityProtection, random: RandomSource
    ) throws {
        self.environment = environment
        self.name = name.stored
        self.secret = Data()
        self.secret = try protection.store(secret, of: authenticated, random: random)
    }

    private init(_ row: Row) throws {
        environment = StoreEnvironment(rawValue: try row.get("environment"))
        name = try row.get("name")
        secret = try row.get("secret")
    }

    /// The secret.
    ///
    /// - Throws: ``DomainError`` `authority` when the row is damaged.
    func read(_ protection: AuthorityProtection) throws -> String {
        try protection.read(secret, of: authenticated)
    }

    /// The same row with another protection.
    func protected(
        by new: AuthorityProtection, insteadOf old: AuthorityProtection, random: RandomSource
    ) throws -> SecretRow {
        var row = self
        row.secret = try new.store(try read(old), of: authenticated, random: random)
        return row
    }

    /// The rows of all environments.
    static func all(_ db: any Connection) throws -> [SecretRow] {
        try db.rows("SELECT environment, name, secret FROM store_secret ORDER BY environment, name").map(SecretRow.init)
    }

    /// The rows of an environment.
    static func all(of environment: StoreEnvironment, _ db: any Connection) throws -> [SecretRow] {
        try db.rows(
            "SELECT environment, name, secret FROM store_secret WHERE environment = $1", [environment.rawValue]
        ).map(SecretRow.init)
    }

    /// The rows of two names.
    static func find(
        _ names: [StoreSecrets.Name], of environment: StoreEnvironment, _ db: any Connection
    ) throws -> [SecretRow] {
        try db.rows(
            "SELECT environment, name, secret FROM store_secret WHERE environment = $1 AND name IN ($2, $3)",
            [environment.rawValue, names[0].stored, names[1].stored]
        ).map(SecretRow.init)
    }

    /// Inserts the row, unless there is one of this name.
    func insertIfAbsent(_ db: any Connection) throws {
        try db.run(
            """
            INSERT INTO store_secret (environment, name, secret) VALUES ($1, $2, $3)
            ON CONFLICT (environment, name) DO NOTHING
            """, [environment.rawValue, name, secret])
    }

    /// Inserts the row, or replaces its secret.
    func save(_ db: any Connection) throws {
        try db.run(
            """
            INSERT INTO store_secret (environment, name, secret) VALUES ($1, $2, $3)
            ON CONFLICT (environment, name) DO UPDATE SET secret = excluded.secret
            """, [environment.rawValue, name, secret])
    }

    static func delete(_ name: StoreSecrets.Name, of environment: StoreEnvironment, _ db: any Connection) throws {
        try db.run(
            "DELETE FROM store_secret WHERE environment = $1 AND name = $2", [environment.rawValue, name.stored])
    }
}

// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDatabase
import StoreDomain
import StoreTestSupport
import Testing

/// Keys, records and receipts for tests of an authority in a database.
enum AuthorityParts {
    static let now = Date(timeIntervalSince1970: 1_772_366_400)
    static let keyText = String(repeating: "0f1e2d3c", count: 8)

    static func key(_ text: String = keyText) throws -> AuthorityKey { try #require(AuthorityKey(text)) }

    /// The record of one authority for all tests: making RSA keys takes up to
    /// a second.
    static let record: Result<AuthorityRecord, any Error> = Result {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("authority")
        var random = SeededGenerator(seed: 3)
        _ = try SigningAuthority.loadOrCreate(directory: directory, using: &random)
        return try #require(try AuthorityFolder(directory).read())
    }

    static func rows(
        in database: any Database, _ protection: AuthorityProtection? = nil, seed: UInt64 = 5
    ) throws -> AuthorityRows {
        AuthorityRows(
            database, protection: try protection ?? .encrypted(key()),
            random: RandomSource(SeededGenerator(seed: seed)))
    }

    /// Makes the tables, and stores ``record`` in them.
    static func store(in database: any Database, _ protection: AuthorityProtection? = nil) async throws {
        try await Schema.migrate(database)
        var random = SeededGenerator(seed: 4)
        let isStored = try create(in: rows(in: database, protection), using: &random)
        #expect(isStored)
    }

    private static func create(
        in rows: AuthorityRows, using random: inout some RandomNumberGenerator
    ) throws -> Bool {
        try rows.create(record.get(), using: &random)
    }

    static func load(from database: any Database, _ protection: AuthorityProtection? = nil) throws -> SigningAuthority {
        try SigningAuthority(in: rows(in: database, protection))
    }

    /// Runs a test with the authority as two nodes have it.
    static func withNodes(
        on engine: Engine, _ body: (SigningAuthority, SigningAuthority) async throws -> Void
    ) async throws {
        try await engine.withTwoDatabases { one, other in
            try await store(in: one)
            try await body(load(from: one), load(from: other))
        }
    }

    static func receipt(at date: Date) -> AppReceipt {
        AppReceipt(
            environment: .sandbox, bundleIdentifier: "com.example.fruit", applicationVersion: "1",
            opaqueValue: Data([1]), deviceHash: Data(count: 20), creationDate: date)
    }

    /// The certificate of the leaf that signs an app receipt now.
    static func signer(of authority: SigningAuthority, at date: Date) throws -> Data? {
        try UnverifiedAppReceipt(parsing: authority.sign(receipt(at: date))).certificates.first
    }
}

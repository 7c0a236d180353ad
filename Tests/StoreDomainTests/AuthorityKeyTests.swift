// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreCore
import StoreDatabase
import StoreDomain
import StoreTestSupport
import Testing

/// The operator's key, and the files that a store had before its authority
/// was in the database.
struct AuthorityKeyTests {
    @Test("A key is 32 bytes in hexadecimal or base64, and its description doesn't contain it")
    func form() throws {
        let bytes = Data((0..<32).map { UInt8($0) })
        let hexadecimal = bytes.hexadecimal
        let base64 = bytes.base64EncodedString()
        let keys = try [hexadecimal, hexadecimal.uppercased(), " \(base64)\n", String(base64.dropLast())].map {
            try #require(AuthorityKey($0))
        }
        #expect(Set(keys.map(\.identifier)).count == 1)
        for text in ["", "key", String(hexadecimal.dropLast()), hexadecimal + "00", base64 + base64] {
            #expect(AuthorityKey(text) == nil, "\(text)")
        }
        var dumped = "\(keys[0]) \(String(reflecting: keys[0])) \(AuthorityProtection.encrypted(keys[0]))"
        dump(keys[0], to: &dumped)
        #expect(!dumped.lowercased().contains(hexadecimal.prefix(16)))
        var record = ""
        dump(try AuthorityParts.record.get(), to: &record)
        #expect(record.contains("a certificate with its key"))
        #expect(!record.contains("PRIVATE KEY"))
    }

    @Test("A wrong key or a missing one names the remedy, and changes nothing", arguments: Engine.stores)
    func wrong(engine: Engine) async throws {
        try await engine.withStore { store in
            let database = store.context.database
            try await AuthorityParts.store(in: database)
            let before = try await contents(of: database)
            let wrong = AuthorityProtection.encrypted(try AuthorityParts.key(String(repeating: "aa", count: 32)))
            let folder = try TemporaryFolder()
            let remedies: [(AuthorityProtection?, String)] = [
                (nil, "openssl rand -hex 32"), (.plain, "--authority-key"), (wrong, "another key"),
            ]

            for (protection, remedy) in remedies {
                let opening = OpeningAuthority(
                    store.context, protection: protection, keys: .none, profile: .sandbox)
                let error = #expect(throws: DomainError.self) { try opening(takingOver: folder.url) }
                #expect(error?.code == .authority)
                #expect(error?.message.contains(remedy) == true)
                #expect(error?.message.contains("OPENSTOREKIT_AUTHORITY_KEY") == true)
                #expect(error?.message.contains(AuthorityParts.keyText) == false)
            }

            #expect(try await contents(of: database) == before)
            #expect(throws: Never.self) { try AuthorityParts.load(from: database) }
        }
    }

    @Test("A store without a key makes no authority", arguments: Engine.stores)
    func missing(engine: Engine) async throws {
        try await engine.withStore { store in
            let folder = try TemporaryFolder()
            let opening = OpeningAuthority(store.context, protection: nil, keys: .none, profile: .sandbox)

            #expect(throws: AuthorityProtection.missing) { try opening(takingOver: folder.url) }

            #expect(try await store.count("signing_authority") == 0)
            #expect(try await !AuthorityRows.exist(in: store.context.database))
        }
    }

    @Test("Plain keys aren't read with a key, until they are encrypted with it", arguments: Engine.stores)
    func encrypting(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await AuthorityParts.store(in: database, .plain)
            let plain = try AuthorityParts.load(from: database, .plain)
            #expect(throws: DomainError.self) { try AuthorityParts.load(from: database) }

            let other = try AuthorityParts.key(String(repeating: "bb", count: 32))
            for (protection, key) in [(AuthorityProtection.plain, try AuthorityParts.key()), (nil, other)] {
                try encrypt(in: AuthorityParts.rows(in: database, protection), with: key)
            }

            #expect(throws: DomainError.self) { try AuthorityParts.load(from: database, .plain) }
            #expect(throws: DomainError.self) { try AuthorityParts.load(from: database) }
            let read = try AuthorityParts.load(from: database, .encrypted(other))
            #expect(try read.bundlePEM == plain.bundlePEM)
            // A process that has read the authority before continues to sign.
            try await plain.refresh(now: AuthorityParts.now)
            #expect(try AuthorityParts.signer(of: plain, at: AuthorityParts.now) != nil)
        }
    }

    @Test("Encrypted rows contain no byte of the private keys or of the operator's key", arguments: Engine.stores)
    func encrypted(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await AuthorityParts.store(in: database)
            var random = SeededGenerator(seed: 51)
            try AuthorityParts.load(from: database).rotateLeaves(
                of: .sandbox, now: AuthorityParts.now, publicAddress: nil, using: &random)
            let record = try #require(try stored(in: database))

            let rows = try await contents(of: database)

            // A private key's text also contains the public key.
            let certificates = record.entries.values.map(\.certificate).joined()
            let secrets = record.entries.values.compactMap(\.key)
            #expect(secrets.count == 12)
            for secret in secrets {
                let lines = secret.split(separator: "\n").filter { !$0.hasPrefix("-----") }
                for line in lines where line.count >= 16 && !certificates.contains(line) {
                    #expect(rows.range(of: Data(line.utf8)) == nil)
                    if let bytes = Data(base64Encoded: String(line)) { #expect(rows.range(of: bytes) == nil) }
                }
            }
            #expect(rows.range(of: Data("PRIVATE KEY".utf8)) == nil)
            #expect(rows.range(of: Data(AuthorityParts.keyText.utf8)) == nil)
            #expect(rows.range(of: Data([0x0F, 0x1E, 0x2D, 0x3C, 0x0F])) == nil)
        }
    }

    @Test("Rows whose keys were exchanged are refused", arguments: Engine.stores)
    func exchanged(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await AuthorityParts.store(in: database)
            try await database.write { connection in
                try connection.run(
                    """
                    UPDATE authority_certificate SET private_key =
                        (SELECT other.private_key FROM authority_certificate AS other WHERE other.name = 'root')
                    WHERE name = 'leaf'
                    """)
            }
            let error = #expect(throws: DomainError.self) { try AuthorityParts.load(from: database) }
            #expect(error?.code == .authority)
        }
    }

    @Test("The files of a folder are taken over at the first start and stay in place", arguments: Engine.stores)
    func takingOver(engine: Engine) async throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("authority")
        var random = SeededGenerator(seed: 61)
        let files = try SigningAuthority.loadOrCreate(directory: directory, using: &random)
        try files.rotateLeaves(of: .production, now: AuthorityParts.now, publicAddress: nil, using: &random)
        try files.revoke(try files.leafSerialNumbers(of: .sandbox).jws, now: AuthorityParts.now)
        let receipt = try files.sign(AuthorityParts.receipt(at: AuthorityParts.now))
        let before = try AuthorityFolder(directory).read()

        try await engine.withStore { store in
            let opening = OpeningAuthority(
                store.context, protection: .encrypted(try AuthorityParts.key()), keys: .none, profile: .sandbox)
            let first = try opening(takingOver: directory)
            let second = try opening(takingOver: directory)

            #expect(first.files == .takenOver)
            #expect(second.files == .none)
            for authority in [first.authority, second.authority] {
                #expect(try authority.bundlePEM == files.bundlePEM)
                #expect(try authority.leafSerialNumbers(of: .production) == files.leafSerialNumbers(of: .production))
                #expect(try authority.revocations == files.revocations)
                #expect(try authority.revision == files.revision)
                let verdict = try authority.verifier.verify(receipt, expecting: .any)
                guard case .verified = verdict else {
                    Issue.record("a receipt from before isn't verified: \(verdict)")
                    return
                }
            }
            #expect(try AuthorityFolder(directory).read() == before)

            let other = home.url.appendingPathComponent("other")
            var drawing = SeededGenerator(seed: 62)
            _ = try SigningAuthority.loadOrCreate(directory: other, using: &drawing)
            #expect(try opening(takingOver: other).files == .ofAnother)
        }
    }

    @Test("A copied store keeps its authority and its revocations", arguments: Engine.stores)
    func copied(engine: Engine) async throws {
        try await Engine.sqliteMemory.withDatabase { source in
            try await AuthorityParts.store(in: source)
            let authority = try AuthorityParts.load(from: source)
            var random = SeededGenerator(seed: 71)
            try authority.rotateLeaves(of: .sandbox, now: AuthorityParts.now, publicAddress: nil, using: &random)
            try authority.revoke(try authority.leafSerialNumbers(of: .sandbox).jws, now: AuthorityParts.now)

            try await engine.withDatabase { target in
                _ = try await CopyingStore(from: source, to: target)(now: TestClock().now)

                let copy = try AuthorityParts.load(from: target)
                #expect(try copy.bundlePEM == authority.bundlePEM)
                #expect(try copy.revocations == authority.revocations)
                #expect(try copy.revision == 2)
            }
        }
    }

    /// All rows of the authority.
    private func contents(of database: any Database) async throws -> Data {
        try await database.read { connection in
            var contents = Data()
            for (table, key) in [
                ("signing_authority", "authority_id"), ("authority_certificate", "name"),
                ("authority_leaf", "serial_number"), ("authority_revocation", "serial_number"),
            ] {
                for row in try connection.rows("SELECT * FROM \(table) ORDER BY \(key)") {
                    for column in row.columns {
                        switch try row.get(column) as DatabaseValue {
                        case .null: break
                        case .integer(let number): contents += Data("\(number)".utf8)
                        case .text(let text): contents += Data(text.utf8)
                        case .blob(let bytes): contents += bytes
                        }
                    }
                }
            }
            return contents
        }
    }

    private func stored(in database: any Database) throws -> AuthorityRecord? {
        try AuthorityParts.rows(in: database).read()
    }

    private func encrypt(in rows: AuthorityRows, with key: AuthorityKey) throws {
        try rows.encrypt(with: key)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAssembly
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A signing authority in a database that several nodes share.
struct AuthorityRowsTests {
    @Test("Two nodes that start at the same moment have one authority", arguments: Engine.stores)
    func oneAuthority(engine: Engine) async throws {
        let folder = try TemporaryFolder()
        try await engine.withNodes { nodes in
            let bundles = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<2 {
                    group.addTask {
                        let opening = OpeningAuthority(
                            nodes[number].context, protection: .encrypted(try AuthorityParts.key()), keys: .none,
                            profile: .sandbox)
                        return try opening(takingOver: folder.url.appendingPathComponent("none")).authority.bundlePEM
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }

            #expect(bundles.count == 1)
            #expect(try await nodes.first.count("signing_authority") == 1)
            // Two chains of root, intermediate, leaf and two delegates.
            #expect(try await nodes.first.count("authority_certificate") == 10)
        }
    }

    @Test("A node signs with the leaves that another has made, once it has compared", arguments: Engine.stores)
    func rotation(engine: Engine) async throws {
        try await AuthorityParts.withNodes(on: engine) { first, second in
            let before = try AuthorityParts.signer(of: second, at: now)
            var random = SeededGenerator(seed: 21)

            try first.rotateLeaves(of: .sandbox, now: now, publicAddress: nil, using: &random)
            let after = try AuthorityParts.signer(of: first, at: now)
            #expect(after != before)
            try await second.refresh(now: now)

            #expect(try AuthorityParts.signer(of: second, at: now) == after)
            #expect(try second.leafSerialNumbers(of: .sandbox) == first.leafSerialNumbers(of: .sandbox))
            #expect(try first.revision == 1)

            // The next change is made on the state that the other has left.
            try second.rotateLeaves(of: .sandbox, now: now, publicAddress: nil, using: &random)
            try await first.refresh(now: now)
            #expect(try first.revision == 2)
            #expect(try first.leafSerialNumbers(of: .sandbox) == second.leafSerialNumbers(of: .sandbox))
            for authority in [first, second] {
                let receipt = try authority.sign(AuthorityParts.receipt(at: now))
                #expect(try authority.verifier.verify(receipt, expecting: .any).isVerified)
            }
        }
    }

    @Test("Two nodes that find production's leaves due rotate them once", arguments: Engine.stores)
    func rotatedOnce(engine: Engine) async throws {
        try await AuthorityParts.withNodes(on: engine) { first, second in
            let rotated = try await withThrowingTaskGroup(of: Bool.self) { group in
                for (seed, authority) in [(31, first), (32, second)] {
                    group.addTask {
                        var random = SeededGenerator(seed: UInt64(seed))
                        return try await authority.rotateLeavesIfDue(now: now, publicAddress: nil, using: &random)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(rotated.count { $0 } == 1)
            #expect(try first.leafSerialNumbers(of: .production) == second.leafSerialNumbers(of: .production))
            #expect(try first.revision == 1)
            #expect(try second.revision == 1)
        }
    }

    @Test("An empty database and an older version's have no authority", arguments: Engine.stores)
    func noAuthority(engine: Engine) async throws {
        try await engine.withDatabase { database in
            #expect(try await !AuthorityRows.exist(in: database))
            try await Migrator([Migration("older", ["CREATE TABLE fruit (id TEXT)"])]).migrate(database)
            #expect(try await !AuthorityRows.exist(in: database))
        }
    }

    @Test("An authority that can't be read is an error, and not a missing one", arguments: Engine.stores)
    func unreadable(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await AuthorityParts.store(in: database)
            #expect(try await AuthorityRows.exist(in: database))
            try await database.write { _ = try $0.run("ALTER TABLE signing_authority RENAME TO lost") }

            let error = try await databaseError { try await AuthorityRows.exist(in: database) }

            #expect(error.code == .table)
        }
    }

    @Test("Every node sees a revocation, and nodes that revoke concurrently lose none", arguments: Engine.stores)
    func revocation(engine: Engine) async throws {
        try await AuthorityParts.withNodes(on: engine) { first, second in
            let leaves = try first.leafSerialNumbers(of: .sandbox)
            let receipt = try second.sign(AuthorityParts.receipt(at: now))

            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try first.revoke(leaves.receipts, now: now) }
                group.addTask { try second.revoke(leaves.jws, now: now, reason: .superseded) }
                try await group.waitForAll()
            }

            for authority in [first, second] {
                try await authority.refresh(now: now)
                #expect(
                    Set(try authority.revocations) == [
                        Revocation(serialNumber: leaves.receipts, date: now, reason: .keyCompromise),
                        Revocation(serialNumber: leaves.jws, date: now, reason: .superseded),
                    ])
                let verifier = AppReceiptVerifier(
                    roots: [authority.rootCertificate], revoked: try authority.revokedCertificates)
                #expect(try !verifier.verify(receipt, expecting: .any).isVerified)
            }
        }
    }

    @Test("A signature needs no statement, and old knowledge is compared before it is used", arguments: Engine.stores)
    func noStatement(engine: Engine) async throws {
        try await engine.withTwoDatabases { database, other in
            try await AuthorityParts.store(in: database)
            let authority = try AuthorityParts.load(from: database)
            try await authority.refresh(now: now)
            try database.close()

            try await authority.refreshIfStale(now: now.addingTimeInterval(SigningAuthority.staleAge))
            #expect(
                try authority.verifier.verify(
                    authority.sign(AuthorityParts.receipt(at: now)), expecting: .any
                ).isVerified)

            for age in [SigningAuthority.staleAge + 1, -1] {
                await #expect(throws: DatabaseError.self) {
                    try await authority.refreshIfStale(now: now.addingTimeInterval(age))
                }
            }
            try other.close()
        }
    }

    @Test(
        "A node that runs finds another's leaves within seconds", .timeLimit(.hang), arguments: Engine.stores)
    func running(engine: Engine) async throws {
        try await engine.withTwoDatabases { one, other in
            try await AuthorityParts.store(in: one)
            let changing = try AuthorityParts.load(from: one)
            let clock = TestClock()
            let configuration = StoreConfiguration(
                database: other, clock: clock.wallClock, random: RandomSource(SeededGenerator(seed: 41)))
            let store = try await Store.open(
                configuration,
                serving: ServingConfiguration(
                    authority: try AuthorityParts.load(from: other), publicURL: "https://store.example",
                    logger: .silent))
            var random = SeededGenerator(seed: 42)

            try changing.rotateLeaves(of: .sandbox, now: now, publicAddress: nil, using: &random)
            let wanted = try changing.leafSerialNumbers(of: .sandbox)

            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await store.housekeeping.run() }
                while try store.service.authority.leafSerialNumbers(of: .sandbox) != wanted {
                    clock.advance(by: .seconds(2))
                    try await letOthersRun()
                }
                group.cancelAll()
            }
        }
    }

    private let now = AuthorityParts.now
}

extension AppReceiptVerifier.Verdict {
    fileprivate var isVerified: Bool {
        if case .verified = self { true } else { false }
    }
}

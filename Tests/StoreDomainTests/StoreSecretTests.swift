// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAssembly
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The control token and the shared secrets in a database that several nodes
/// share.
struct StoreSecretTests {
    private let app: BundleIdentifier = "com.example.fruit"
    private let other: BundleIdentifier = "com.example.vegetables"

    @Test("Two nodes that start at the same moment have one control token", arguments: Engine.stores)
    func oneToken(engine: Engine) async throws {
        try await withNodes(on: engine) { first, second in
            let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                group.addTask { try await first(takingOver: "token of a folder").secrets.controlToken }
                group.addTask { try await second().secrets.controlToken }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }

            #expect(tokens.count == 1)
            #expect(try await second(takingOver: "another").secrets.controlToken == tokens.first)
        }
    }

    @Test("The first node's token of a folder is taken over, and otherwise one is made", arguments: Engine.stores)
    func takenOver(engine: Engine) async throws {
        try await withNodes(on: engine) { first, second in
            #expect(try await first(takingOver: "token of a folder").secrets.controlToken == "token of a folder")
            let revision = try await second().revision
            #expect(revision == 1)
            #expect(try await second(takingOver: "another").secrets.controlToken == "token of a folder")
            // A start that changes nothing writes nothing.
            #expect(try await first().revision == revision)
        }
        try await withNodes(on: engine) { first, second in
            let made = try await first().secrets.controlToken
            #expect(made.count == 64)
            #expect(try await second().secrets.controlToken == made)
        }
    }

    @Test("A shared secret that one node sets or removes is that of the others", arguments: Engine.stores)
    func sharedSecrets(engine: Engine) async throws {
        try await withNodes(on: engine) { first, second in
            let stored = StoredSecrets(second, try await second())
            #expect(stored.sharedSecret(of: app) == nil)

            try await first.set([app: "melon", other: "leek"])
            #expect(stored.sharedSecret(of: app) == nil)
            try await stored.refresh()
            #expect(stored.sharedSecret(of: app) == "melon")

            try await first.set([app: "plum"])
            try await stored.refresh()
            #expect(stored.sharedSecret(of: app) == "plum")
            #expect(stored.sharedSecret(of: other) == "leek")

            let token = stored.controlToken
            _ = try await first(removing: [other])
            try await stored.refresh()
            #expect(stored.sharedSecret(of: other) == nil)
            #expect(stored.controlToken == token)
            #expect(try await second().secrets == StoreSecrets(controlToken: token, sharedSecrets: [app: "plum"]))
        }
    }

    @Test("Nodes that set different secrets at the same moment lose none", arguments: Engine.stores)
    func together(engine: Engine) async throws {
        try await withNodes(on: engine) { first, second in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await first.set([app: "melon"]) }
                group.addTask { try await second.set([other: "leek"]) }
                try await group.waitForAll()
            }
            #expect(try await first().secrets.sharedSecrets == [app: "melon", other: "leek"])
            #expect(try await first().revision == 2)
        }
    }

    @Test("The rows contain no secret, and an exchanged one is refused", arguments: Engine.stores)
    func encrypted(engine: Engine) async throws {
        try await withNodes(on: engine) { first, _ in
            try await first.set([app: "a secret of melons", other: "a secret of leeks"])
            let rows = try await first.database.read { try SecretRow.all($0) }
            #expect(rows.count == 3)
            for row in rows {
                #expect(row.secret.range(of: Data("secret".utf8)) == nil, "\(row.name)")
            }

            try await first.database.write { connection in
                try connection.run(
                    """
                    UPDATE store_secret SET secret = (
                        SELECT given.secret FROM store_secret AS given WHERE given.name LIKE '%fruit')
                    WHERE name LIKE '%vegetables'
                    """)
            }
            let error = await #expect(throws: DomainError.self) { _ = try await first() }
            #expect(error?.code == .authority)
        }
    }

    @Test("Another key encrypts the secrets too, and the old one is refused", arguments: Engine.stores)
    func anotherKey(engine: Engine) async throws {
        try await withNodes(on: engine) { first, second in
            try await first.set([app: "melon"])
            let before = try await first()
            let key = try AuthorityParts.key(String(repeating: "bb", count: 32))

            try Self.encrypt(in: try AuthorityParts.rows(in: second.database), with: key)

            let after = try await SharingSecrets(second.context, protection: .encrypted(key))()
            #expect(after.secrets == before.secrets)
            let error = await #expect(throws: DomainError.self) { _ = try await first.set([app: "plum"]) }
            #expect(error?.code == .authority)
            #expect(try await SharingSecrets(second.context, protection: .encrypted(key))().secrets == before.secrets)
        }
    }

    @Test("A secret that is set while the keys are encrypted isn't lost", arguments: Engine.stores)
    func encryptedMeanwhile(engine: Engine) async throws {
        try await withNodes(on: engine) { first, second in
            try await first.set([app: "melon"])
            let old = AuthorityHeader(
                revision: try await first().revision, encryptedWith: first.protection.identifier)
            let record = try #require(try Self.record(in: first.database))
            let new = AuthorityProtection.encrypted(try AuthorityParts.key(String(repeating: "bb", count: 32)))
            let encoded = try EncodedAuthority(record, new, random: first.context.random)

            try await second.set([app: "plum"])
            let isReplaced = try await first.database.write { try encoded.replaceKeys([], ifStill: old, $0) }

            #expect(!isReplaced)
            #expect(try await first().secrets.sharedSecrets == [app: "plum"])
        }
    }

    @Test("A copied store keeps its secrets", arguments: Engine.stores)
    func copied(engine: Engine) async throws {
        try await withNodes(on: .sqliteMemory) { first, _ in
            try await first.set([app: "melon"])
            let secrets = try await first().secrets
            try await engine.withDatabase { target in
                _ = try await CopyingStore(from: first.database, to: target)(now: TestClock().now)
                let copy = try await TestStore(target).context
                #expect(try await SharingSecrets(copy, protection: first.protection)().secrets == secrets)
            }
        }
    }

    @Test("A node that runs uses another's shared secret within seconds", .timeLimit(.hang))
    func running() async throws {
        try await withNodes(on: .sqliteMemory) { first, second in
            let clock = TestClock()
            let stored = StoredSecrets(second, try await second())
            var serving = ServingConfiguration(
                authority: try AuthorityParts.load(from: second.database), publicURL: "https://store.example",
                logger: .silent)
            serving.secrets = stored
            let configuration = StoreConfiguration(
                database: second.database, clock: clock.wallClock, random: RandomSource(SeededGenerator(seed: 91)))
            let store = try await Store.open(configuration, serving: serving)

            try await first.set([app: "melon"])

            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await store.housekeeping.run() }
                while stored.sharedSecret(of: app) != "melon" {
                    clock.advance(by: .seconds(2))
                    try await letOthersRun()
                }
                group.cancelAll()
            }
        }
    }

    @Test(
        "A secret that a seller has made is encrypted with the authority, also one of before", arguments: Engine.stores)
    func sellers(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            let plain = MakingSharedSecrets(store.context, protection: .plain)
            try await plain.make(.app, version: "", of: app, by: holder)
            let before = try await plain(of: app, as: holder)

            try await AuthorityParts.store(in: store.context.database)

            let protection = AuthorityProtection.encrypted(try AuthorityParts.key())
            let making = MakingSharedSecrets(store.context, protection: protection)
            #expect(try await making.accepted(for: app) == before)
            try await making.make(.master, version: "", of: app, by: holder)
            let known = try await making.accepted(for: app)
            #expect(known.app == before.app && known.master != nil)
            let rows = try await store.context.database.read { try SecretRow.all($0) }
            #expect(rows.count == 4)
            for secret in [known.app, known.master].compactMap(\.self) {
                #expect(rows.allSatisfy { $0.secret.range(of: Data(secret.utf8)) == nil })
            }
            // The nodes find the new secrets by the revision of the authority.
            let shared = try await SharingSecrets(store.context, protection: protection)()
            #expect(shared.revision > 0 && shared.secrets.sharedSecrets.isEmpty)
            #expect(shared.secrets.madeSecrets == [app: before.app ?? ""])
            let error = await #expect(throws: DomainError.self) { try await plain.accepted(for: app) }
            #expect(error?.code == .authority)
        }
    }

    @Test(
        "After the keys are encrypted again, a node with the earlier key uses the secrets that it has read",
        arguments: Engine.stores)
    func earlierKey(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            let database = store.context.database
            try await AuthorityParts.store(in: database)
            let old = AuthorityProtection.encrypted(try AuthorityParts.key())
            let making = MakingSharedSecrets(store.context, protection: old)
            let without = try await SharingSecrets(store.context, protection: old)().secrets
            try await making.make(.app, version: "", of: app, by: holder)
            try await making.make(.master, version: "", of: app, by: holder)
            let made = try await making.accepted(for: app)
            let known = try await SharingSecrets(store.context, protection: old)().secrets

            let new = try AuthorityParts.key(String(repeating: "bb", count: 32))
            try Self.encrypt(in: try AuthorityParts.rows(in: database), with: new)

            #expect(made.app != nil && made.master != nil)
            #expect(try await making.accepted(for: app, orOf: known) == made)
            // A node that has read none doesn't accept each password.
            for secrets in [nil, without] {
                let error = await #expect(throws: DomainError.self) {
                    _ = try await making.accepted(for: app, orOf: secrets)
                }
                #expect(error?.code == .authority)
            }
            let next = MakingSharedSecrets(store.context, protection: .encrypted(new))
            #expect(try await next.accepted(for: app) == made)
        }
    }

    @Test(
        "A seller's secret and one of the operator are two, which don't replace one another", arguments: Engine.stores)
    func twoSecrets(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            try await AuthorityParts.store(in: store.context.database)
            let protection = AuthorityProtection.encrypted(try AuthorityParts.key())
            let sharing = SharingSecrets(store.context, protection: protection)
            let making = MakingSharedSecrets(store.context, protection: protection)
            try await sharing.set([app: "melon"])
            // The form of a page without a made secret is the newest.
            try await making.make(.app, version: "", of: app, by: holder)
            let made = try #require(try await making.accepted(for: app).app)
            #expect(made != "melon")
            #expect(try await sharing().secrets.sharedSecrets == [app: "melon"])

            try await sharing.set([app: "plum"])
            #expect(try await making.accepted(for: app).app == made)
            _ = try await sharing(removing: [app])
            let left = try await sharing().secrets
            #expect(left.sharedSecrets.isEmpty && left.madeSecrets == [app: made])
        }
    }

    /// Runs a test with two nodes of a store that has an authority.
    private func withNodes(
        on engine: Engine, _ body: (SharingSecrets, SharingSecrets) async throws -> Void
    ) async throws {
        try await engine.withTwoDatabases { one, other in
            try await AuthorityParts.store(in: one)
            let protection = AuthorityProtection.encrypted(try AuthorityParts.key())
            // Two seeds: the nodes must not draw the same token.
            try await body(
                SharingSecrets(try await TestStore(one, seed: 7).context, protection: protection),
                SharingSecrets(try await TestStore(other, seed: 8).context, protection: protection))
        }
    }

    private static func encrypt(in rows: AuthorityRows, with key: AuthorityKey) throws {
        try rows.encrypt(with: key)
    }

    private static func record(in database: any Database) throws -> AuthorityRecord? {
        try AuthorityParts.rows(in: database).read()
    }
}

extension SharingSecrets {
    fileprivate func set(_ secrets: [BundleIdentifier: String]) async throws {
        _ = try await self(setting: secrets)
    }
}

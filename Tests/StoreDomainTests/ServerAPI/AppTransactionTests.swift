// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The rows of app transactions, which purchases and uses of apps write.
struct AppTransactionTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    @Test(
        "Two nodes that write at the same moment agree, and a number that another account has is not used",
        arguments: Engine.stores)
    func agreement(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let first = AppTransaction.identifier(of: anna.identifier, in: Self.app, .sandbox)
            // Another account of the same bucket that has the number already.
            try await store.context.database.write { connection in
                _ = try connection.run(
                    """
                    INSERT INTO app_transaction (environment, account_id, bundle_id, bucket, app_transaction_id, created_at)
                    VALUES ('Sandbox', 'other', 'com.example.other', \(anna.identifier.bucket), '\(first)', 0)
                    """)
            }
            for _ in 0..<2 {
                try await store.context.write(for: anna.identifier) { db in
                    try AppTransaction.record(Self.app, of: anna.identifier, db)
                }
            }
            let saved = try await store.context.read { db in
                try AppTransaction.find(Self.app, of: anna.identifier, db)
            }
            #expect(
                saved?.identifier == AppTransaction.identifier(of: anna.identifier, in: Self.app, .sandbox, attempt: 1))
            #expect(saved?.identifier.bucket == anna.identifier.bucket)
        }
        try await engine.withTwoDatabases(hasTables: true) { one, other in
            let store = try await TestStore(one)
            let second = try await TestStore(other, seed: 8)
            let anna = try await store.addAccount()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    let context = (number % 2 == 0 ? store : second).context
                    group.addTask {
                        try await context.write(for: anna.identifier) { db in
                            try AppTransaction.record(Self.app, of: anna.identifier, db)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.count("app_transaction") == 1)
        }
    }

    @Test("A purchase fails when other accounts have all numbers of its app transaction", arguments: Engine.stores)
    func exhausted(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            try await store.context.database.write { connection in
                for attempt in 0..<3 {
                    let number = AppTransaction.identifier(
                        of: anna.identifier, in: Self.app, .sandbox, attempt: attempt)
                    try connection.run(
                        """
                        INSERT INTO app_transaction
                            (environment, account_id, bundle_id, bucket, app_transaction_id, created_at)
                        VALUES ('Sandbox', 'other', 'com.example.other\(attempt)', $1, $2, 0)
                        """, [anna.identifier.bucket, number])
                }
            }
            await #expect(throws: DomainError(.exists, "")) {
                try await store.context.write(for: anna.identifier) { db in
                    try AppTransaction.record(Self.app, of: anna.identifier, db)
                }
            }
            #expect(try await store.count("app_transaction") == 3)
        }
    }

    @Test(
        "A purchase and its app transaction are written together, when a process dies at any step",
        arguments: Engine.stores)
    func dying(engine: Engine) async throws {
        for step in ["reserve:after", "authorise:after", "commit:before", "commit:after", "capture:before"] {
            try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
                let (anna, phone) = (try await dying.addAccount(), try await dying.addDevice())
                _ = try? await phone.buy("juice", request: "1", as: anna)
                #expect(database.isDead, "\(step) wasn't reached")
                let store = try await revive()
                #expect(try await store.count("app_transaction") >= store.count("purchase"), "\(step)")
                try await store.recover()
                #expect(try await store.count("purchase") == 1)
                #expect(try await store.count("app_transaction") == 1)
            }
        }
    }
}

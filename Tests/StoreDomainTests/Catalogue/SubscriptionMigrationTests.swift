// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreDomain

/// A database of a version that skipped the subscriptions of a file.
struct SubscriptionMigrationTests {
    @Test("A file that an earlier version has imported is imported again, once", arguments: Engine.stores)
    func importedAgain(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await Self.fill(database)

            let store = try await TestStore(database)

            #expect(try await store.count("product") == 4)
            #expect(try await store.count("app", where: "grace_period_days = 0") == 1)
            let again = try await TestStore(database, seed: 8)
            #expect(try await again.count("product", where: "edit_number = 1") == 4)
        }
    }

    @Test("A grace period has one of the four lengths, and a plan a level of 1 or more", arguments: Engine.stores)
    func constraints(engine: Engine) async throws {
        try await engine.withStore { store in
            for days in [3, 16, 28, 0] { try await Self.change(store, "UPDATE app SET grace_period_days = \(days)") }
            await #expect(throws: DatabaseError.self) {
                try await Self.change(store, "UPDATE app SET grace_period_days = 7")
            }
            let bundle = TestStore.bundleIdentifier
            try await Self.change(
                store,
                "INSERT INTO subscription_group (bundle_id, group_id, reference_name) VALUES ('\(bundle)', 'g', 'Group')"
            )
            await #expect(throws: DatabaseError.self) {
                try await Self.change(
                    store, "INSERT INTO subscription_plan VALUES ('\(bundle)', 'apple', 'g', 0, 'P1M')")
            }
            await #expect(throws: DatabaseError.self) {
                try await Self.change(
                    store, "INSERT INTO subscription_plan VALUES ('\(bundle)', 'apple', 'h', 1, 'P1M')")
            }
        }
    }

    private static func change(_ store: TestStore, _ sql: String) async throws {
        try await store.context.database.write { connection in _ = try connection.run(sql) }
    }

    /// Makes a database of the version before, whose last import was of the
    /// test catalogue.
    private static func fill(_ database: any Database) async throws {
        let old = Schema.migrations.prefix { $0.name != Schema.subscriptionCatalogue.name }
        try await Migrator(Array(old)).migrate(database)
        let checksum = try StoreKitConfigurationFile(
            Data(TestStore.catalogue.utf8), file: "test.storekit",
            bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier)
        ).checksum
        try await database.write { connection in
            try connection.run("INSERT INTO app (bundle_id, name) VALUES ($1, 'Fruit')", [TestStore.bundleIdentifier])
            try connection.run(
                """
                INSERT INTO catalogue_source (bundle_id, name, contents, checksum, imported_at)
                VALUES ($1, 'test.storekit', $2, $3, 1)
                """, [TestStore.bundleIdentifier, Data(TestStore.catalogue.utf8), checksum])
        }
    }
}

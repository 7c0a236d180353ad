// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreDomain
import StoreTestSupport
import Testing

@testable import StoreService

/// The settings of a tester that `storectl trigger` changes for a history.
struct TriggeringTests {
    private static let settings: [TriggerRecipe.Step] = [.setGrace(days: 3), .setCharges(declined: true)]

    private func triggering(_ store: TestStore) async throws -> Triggering {
        let anna = try await store.addAccount()
        let app = try #require(
            try await FindingApp(store.context)(BundleIdentifier(TestStore.bundleIdentifier)))
        return try await Triggering(
            .recovery, in: app, email: anna.email, storefront: anna.storefront,
            products: TriggerProducts([], sold: anna.storefront, for: []), service: store.service)
    }

    @Test("Declined charges end although the process dies before it takes them back", arguments: Engine.servers)
    func declined(engine: Engine) async throws {
        try await engine.withStore { store in
            var triggering = try await triggering(store)
            // No history of this type, so that nothing more is done.
            await #expect(throws: DomainError(.invalid, "")) { try await triggering.run(Self.settings) }
            let times: Int64? = try await store.context.database.read { connection in
                try connection.row("SELECT times FROM sandbox_answer")?.get("times")
            }
            #expect(try #require(times) >= 200)
            try await triggering.restore(Self.settings)
            #expect(try await store.count("sandbox_answer") == 0)
        }
    }

    @Test("A setting that can't be taken back doesn't keep the others, and its error is thrown")
    func restore() async throws {
        try await Engine.sqliteMemory.withStore { store in
            var triggering = try await triggering(store)
            await #expect(throws: DomainError(.invalid, "")) { try await triggering.run(Self.settings) }
            try await store.context.database.write { connection in
                _ = try connection.run(
                    """
                    CREATE TRIGGER refuse BEFORE UPDATE OF tester_until ON account
                    BEGIN SELECT RAISE(ABORT, 'the rules stay'); END
                    """)
            }
            await #expect(throws: DatabaseError.self) { try await triggering.restore(Self.settings) }
            #expect(try await store.count("sandbox_answer") == 0)
        }
    }
}

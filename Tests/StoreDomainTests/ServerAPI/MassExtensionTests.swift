// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreDomain
import StoreTestSupport
import Synchronization
import Testing

/// A process ends while it carries out an order for all subscribers.
@Suite(.timeLimit(.hang))
struct MassExtensionTests {
    private static let bundleIdentifier = BundleIdentifier(TestStore.bundleIdentifier)
    private static let order = RenewalExtension(
        days: 10, reason: .outage, request: "758883e8-151b-47b7-abd0-60c4d804c2f5")

    @Test(
        "A process dies before it saves a page's progress; each subscription is extended and counted once",
        arguments: Engine.stores)
    func dying(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let clock = TestClock()
            let mortal = MortalDatabase(database)
            let pages = Mutex(0)
            let dying = try await TestStore(
                mortal, clock: clock,
                faults: {
                    guard $0 == "extension:page" else { return }
                    let isSecond = pages.withLock { count in
                        count += 1
                        return count == 2
                    }
                    if isSecond { mortal.die() }
                })
            try await dying.sellBaskets()
            for number in 0..<3 { try await dying.subscriber(number).buy("weekly") }
            try await OrderingMassExtension(dying.context)("weekly", in: Self.bundleIdentifier, by: Self.order)
            await #expect(throws: (any Error).self) { try await CarryingOutMassExtensions(dying.context)(pageSize: 1) }
            #expect(mortal.isDead)

            let store = try await TestStore(database, clock: clock, seed: 8)
            let ordering = OrderingMassExtension(store.context)
            let begun = try await ordering.progress(
                of: Self.order.request, product: "weekly", in: Self.bundleIdentifier)
            #expect(begun.succeeded == 1 && begun.completed == nil)
            try await CarryingOutMassExtensions(store.context)(pageSize: 1)

            let done = try await ordering.progress(
                of: Self.order.request, product: "weekly", in: Self.bundleIdentifier)
            #expect(done.succeeded == 3 && done.failed == 0 && done.completed != nil)
            let ends = try await store.context.read { db in
                try db.rows("SELECT expires_at FROM purchase").map { row -> Int64 in try row.get("expires_at") }
            }
            #expect(ends == Array(repeating: clock.now.milliseconds + 17 * 86_400_000, count: 3))
        }
    }
}

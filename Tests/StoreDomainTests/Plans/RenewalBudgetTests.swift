// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreMeasurement
import StoreTestSupport
import Testing

/// The cost of each step of a renewal. A change that makes one dearer or
/// cheaper has to change its line of ``budget``.
struct RenewalBudgetTests {
    /// The cost of the steps for a subscription with a price, of a customer
    /// with one device.
    private static let budget: [(operation: String, cost: OperationCost)] = [
        ("search", .init(transactions: 1, statements: 1, commits: 0)),
        ("charge ahead", .init(transactions: 3, statements: 18, commits: 3)),
        ("renew", .init(transactions: 3, statements: 23, commits: 3)),
    ]

    @Test("Each step of a renewal keeps to its budget", arguments: Engine.stores)
    func budget(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            OperationCost.expect(try await Self.costs(in: RecordingDatabase(database)), toBe: Self.budget)
        }
    }

    /// Renews once, and returns the cost of each step.
    private static func costs(in recorder: RecordingDatabase) async throws -> [String: OperationCost] {
        let steps = MeasuredOperations(in: recorder)
        let store = try await TestStore(recorder, metrics: steps.signatures)
        try await store.sellBaskets()
        let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
        try await anna.buy("small")

        try await steps.measure("search") { try await RenewingSubscriptions(store.context)() }
        for step in ["charge ahead", "renew"] {
            _ = try await MovingClock(store.context)(email: anna.account.email, .toNextStep)
            let wasCarriedOut = try await steps.measure(step) {
                try await RenewingSubscriptions(store.context).carryOutNextStep(of: anna.account.identifier)
            }
            #expect(wasCarriedOut)
        }
        #expect(
            try await anna.periods() == [
                "small 2026-01-10 20:00:00 to 2026-02-10 20:00:00", "small 2026-02-10 20:00:00 to 2026-03-10 19:00:00",
            ])
        return steps.costs
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreAgent
import StoreDatabase
import StoreDomain
import StoreMeasurement
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreService

/// The cost of a whole purchase through a real agent with an open event stream.
/// A change that makes it dearer or cheaper has to change its line of
/// ``budget``.
@Suite(.timeLimit(.hang))
struct AgentBudgetTests {
    /// The agent sends the payment, fetches both receipts and sends the finish.
    /// The confirmation of the sheet is no message of the device. The stream
    /// reads two events, of the purchase and of the finish.
    private static let budget: [(operation: String, cost: OperationCost)] = [
        ("purchase", .init(requests: 4, transactions: 16, statements: 57, commits: 7, signatures: 2))
    ]

    @Test("A purchase through an agent keeps to its budget", arguments: Engine.servers)
    func budget(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let steps = MeasuredOperations(in: RecordingDatabase(database))
            let store = try await TestStore(steps.recorder, metrics: steps.signatures)
            let anna = try await store.addAccount()
            let phone = try TestPhone(store, onMessage: steps.countRequest)
            try await phone.signIn(anna)

            try await phone.launch(customer: { store, sheet in
                _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            }) { app in
                try await Self.untilQuiet(store, database)
                // The requests of a launch may still run during the first.
                for product in ["seed", "apple"] { try await Self.buy(product, in: app, store, database) }
                try await steps.measure("purchase") {
                    try await Self.buy("pear", in: app, store, database)
                }
            }

            OperationCost.expect(steps.costs, toBe: Self.budget)
        }
    }

    /// Buys and finishes, and waits until neither the store nor the agent has
    /// anything left to do.
    private static func buy(
        _ product: String, in app: TestApp, _ store: TestStore, _ database: any Database
    ) async throws {
        try app.buy(product)
        let bought = try await app.next(.purchased)
        #expect(bought.payment.productIdentifier == product)
        try app.agent.finish(bought.id)
        _ = try await app.removed()
        try await untilQuiet(store, database)
    }

    /// Waits until every finish has reached the store, and the stream has read
    /// every event. It reads the database without its recorder.
    private static func untilQuiet(_ store: TestStore, _ database: any Database) async throws {
        try await until {
            let (unfinished, newest) = try await database.read { connection -> (Int, Int64) in
                let row = try connection.row(
                    """
                    SELECT (SELECT count(*) FROM queue_entry) AS unfinished, max(event_number) AS newest FROM account
                    """)
                return (try row?.get("unfinished") ?? 0, try row?.get("newest") ?? 0)
            }
            let read = store.service.hub.state.withLock { $0.subscribers.values.map(\.events.read) }
            return unfinished == 0 && read == [newest]
        }
    }
}

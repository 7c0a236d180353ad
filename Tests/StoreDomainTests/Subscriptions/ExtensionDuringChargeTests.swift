// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreTestSupport
import Synchronization
import Testing

/// A seller extends a period while the amount of the next one is being
/// authorised.
@Suite(.timeLimit(.hang))
struct ExtensionDuringChargeTests {
    /// A provider during whose next authorisation an action is carried out,
    /// and which answers it as a method does.
    private final class Interrupted: PassingProvider {
        let books: SandboxPaymentProvider
        let action = Mutex<(@Sendable () async throws -> Void)?>(nil)
        private let interrupted: SandboxMethod

        init(_ books: SandboxPaymentProvider, answering interrupted: SandboxMethod) {
            self.books = books
            self.interrupted = interrupted
        }

        func authorise(_ number: PaymentIdentifier, amount: Money, method: String?) async throws -> Authorisation {
            let action = action.withLock { action in
                defer { action = nil }
                return action
            }
            try await action?()
            return try await books.authorise(
                number, amount: amount, method: action == nil ? method : interrupted.rawValue)
        }
    }

    @Test(
        "An answer that comes after the extension counts for nothing", arguments: Engine.stores,
        [SandboxMethod.accepted, .declined])
    func extended(engine: Engine, method: SandboxMethod) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let clock = TestClock()
            let provider = Interrupted(
                SandboxPaymentProvider(database: database, clock: clock.wallClock), answering: method)
            let store = try await TestStore(database, clock: clock, provider: provider)
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = TransactionIdentifier(try await anna.buy("small").transactionIdentifier)
            provider.action.withLock {
                $0 = {
                    _ = try await ExtendingSubscription(store.context)(
                        first, by: RenewalExtension(days: 10, reason: .outage, request: "outage"))
                }
            }

            // Neither a failed charge nor an amount that is kept for ten days.
            #expect(
                try await anna.advance(to: "2026-02-10 00:00:00") == [
                    "2026-02-10 00:00:00 extended until 2026-02-20 20:00:00"
                ])
            #expect(try await anna.periods() == ["small 2026-01-10 20:00:00 to 2026-02-20 20:00:00"])
            let status = method == .declined ? "declined" : "voided"
            #expect(try await store.count("payment", where: "status = '\(status)'") == 1)
            #expect(
                try await anna.advance(to: "2026-02-21 00:00:00") == [
                    "2026-02-19 20:00:00 authorised", "2026-02-20 20:00:00 renewed small",
                ])
            #expect(try await anna.ledger() == [4990, 4990])
            try await store.checkMoney()
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Subscriptions in production, where no clock moves and no period ends early.
@Suite(.timeLimit(.hang))
struct ProductionTests {
    @Test("In production a subscription is renewed in real time, and no test can change it", arguments: Engine.stores)
    func production(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production)
            try await store.sellBaskets()
            let phone = try await store.addDevice()
            let anna = Subscriber(store: store, account: try await store.addAccount(), phone: phone)
            let first = try await anna.buy("weekly")
            let original = OriginalTransactionIdentifier(first.transactionIdentifier)
            let account = anna.account.identifier

            for move in [.by(.seconds(86_400)), .toNextStep, .speed(.monthIn5Minutes)] as [MovingClock.Move] {
                await #expect(throws: DomainError(.invalid, "")) { try await anna.advance(move) }
            }
            await #expect(throws: DomainError(.invalid, "")) {
                try await ExpiringSubscription(store.context)(original, account: account)
            }
            await #expect(throws: DomainError(.invalid, "")) {
                try await ForcingRenewal(store.context)(original, account: account)
            }

            store.clock.advance(by: .seconds(8 * 86_400))
            await store.service.renewSubscriptions()
            #expect(
                try await anna.periods() == [
                    "weekly 2026-01-02 03:04:05 to 2026-01-09 03:04:05",
                    "weekly 2026-01-09 03:04:05 to 2026-01-16 03:04:05",
                ])
            #expect(try await anna.ledger() == [1490, 1490])
            #expect(try await phone.queue().count == 2)
            try await store.checkMoney()
        }
    }
}

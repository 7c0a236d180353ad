// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreTestSupport
import Testing

/// The payment methods of a subscriber: renewals are charged by the preferred
/// one of the moment.
@Suite(.timeLimit(.hang))
struct PaymentMethodStoryTests {
    @Test("Without the removed method the renewal fails, and a new one recovers it", arguments: Engine.stores)
    func removed(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let method = try await store.addMethod(.accepted, to: anna.account)
            try await anna.buy("small")
            _ = try await store.methods.remove(method, of: anna.account.identifier)

            try await anna.advance(to: "2026-02-11 00:00:00")
            #expect(try await anna.ledger() == [4990])
            #expect(try await anna.status() == .billingRetry)
            #expect(try await store.count("payment") == 1)

            try await store.addMethod(.accepted, to: anna.account)
            try await anna.advance(to: "2026-02-20 00:00:00")
            #expect(try await anna.ledger() == [4990, 4990])
            #expect(try await anna.status() == .active)
            try await store.checkMoney()
        }
    }

    @Test("A card that has expired declines the renewal, and another one recovers it", arguments: Engine.stores)
    func expired(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await store.addMethod(.expiring, to: anna.account)
            try await anna.buy("weekly")

            try await anna.advance(to: "2026-02-08 00:00:00")
            #expect(try await anna.ledger().count == 5)
            try await anna.advance(to: "2026-02-16 00:00:00")
            #expect(try await anna.status() == .billingRetry)

            let card = try await store.addMethod(.accepted, to: anna.account)
            _ = try await store.methods.prefer(card, of: anna.account.identifier)
            try await anna.advance(to: "2026-02-25 00:00:00")
            #expect(try await anna.status() == .active)
            try await store.checkMoney()
        }
    }

    @Test("A bank that asks the customer for a step renews without one", arguments: Engine.stores)
    func bank(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await store.addMethod(.bank, to: anna.account)

            try await anna.advance(to: "2026-02-11 00:00:00")

            #expect(try await anna.ledger() == [4990, 4990])
            #expect(try await store.count("payment", where: "method_reference = 'bank'") == 1)
        }
    }
}

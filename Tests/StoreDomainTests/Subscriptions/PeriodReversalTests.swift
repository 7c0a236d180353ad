// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Refunds of periods that are taken back.
@Suite(.timeLimit(.hang))
struct PeriodReversalTests {
    @Test("The running period is as it was, and is renewed at its end", arguments: Engine.stores)
    func running(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = TransactionIdentifier(try await anna.buy("small").transactionIdentifier)
            // The amount of the next period is authorised then.
            try await anna.advance(to: "2026-02-10 10:00:00")
            try await store.service.refund(first)
            try await store.recover()
            #expect(try await anna.status() == .revoked)

            try await store.service.reverseRefund(of: first)

            #expect(try await anna.status() == .active)
            #expect(try await anna.subscription().state.renews)
            #expect(try await anna.periods() == ["small 2026-01-10 20:00:00 to 2026-02-10 20:00:00"])
            #expect(try await anna.advance(to: "2026-02-11 00:00:00").last == "2026-02-10 20:00:00 renewed small")
            #expect(try await anna.ledger().reduce(0, +) == 2 * 4990)
            try await store.checkMoney()
        }
    }

    @Test("A renewal that was off before the refund stays off", arguments: Engine.stores)
    func turnedOff(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = TransactionIdentifier(try await anna.buy("small").transactionIdentifier)
            try await anna.setRenewal(false)
            try await store.service.refund(first)
            try await store.service.reverseRefund(of: first)

            #expect(try await anna.status() == .active)
            #expect(try await anna.advance(to: "2026-03-01 00:00:00") == ["2026-02-10 20:00:00 expired (1)"])
        }
    }

    @Test("A period that is over when its refund is taken back isn't renewed", arguments: Engine.stores)
    func over(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = TransactionIdentifier(try await anna.buy("small").transactionIdentifier)
            try await store.service.refund(first)
            try await anna.advance(to: "2026-04-01 00:00:00")

            try await store.service.reverseRefund(of: first)
            await store.service.renewSubscriptions()

            #expect(try await anna.status() == .expired)
            #expect(try await anna.subscription().state.expired == .other)
            #expect(try await anna.ledger().reduce(0, +) == 4990)
            let again = try await anna.buy("small")
            #expect(again.originalTransactionIdentifier == first.rawValue)
            try await store.checkMoney()
        }
    }

    @Test("A past period is reinstated, and the running one goes on", arguments: Engine.stores)
    func past(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = TransactionIdentifier(try await anna.buy("small").transactionIdentifier)
            try await anna.advance(to: "2026-03-01 00:00:00")
            try await store.service.refund(first)
            try await store.service.reverseRefund(of: first)

            #expect(try await anna.periods().allSatisfy { !$0.hasSuffix("refunded") })
            #expect(try await anna.status() == .active)
            #expect(try await anna.ledger().reduce(0, +) == 2 * 4990)
            #expect(try await anna.advance(to: "2026-03-11 00:00:00").last?.contains("renewed small") == true)
        }
    }

    @Test(
        "A subscription that was bought again prevents the reversal until the period is over", arguments: Engine.stores)
    func boughtAgain(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = TransactionIdentifier(try await anna.buy("yearly").transactionIdentifier)
            try await store.service.refund(first)
            try await anna.advance(to: "2026-01-20 00:00:00")
            try await anna.buy("small")

            let refusal = await #expect(throws: DomainError.self) {
                try await store.service.reverseRefund(of: first)
            }
            #expect(refusal?.code == .decided && refusal?.message.contains("2027-01-10") == true)
            #expect(try await store.count("purchase", where: "revoked_at IS NULL") == 1)

            try await anna.advance(to: "2027-01-11 00:00:00")
            let status = try await anna.status()
            try await store.service.reverseRefund(of: first)
            #expect(try await anna.status() == status)
            try await store.checkMoney()
        }
    }

    @Test(
        "The refund of an upgraded period is taken back, and its unused part stays given back", arguments: Engine.stores
    )
    func upgraded(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = TransactionIdentifier(try await anna.buy("small").transactionIdentifier)
            try await anna.advance(to: "2026-01-20 00:00:00")
            try await anna.buy("large")
            try await store.recover()
            let before = try await anna.ledger().reduce(0, +)
            try await store.service.refund(first)
            #expect(try await anna.ledger().reduce(0, +) < before)

            try await store.service.reverseRefund(of: first)

            #expect(try await anna.ledger().reduce(0, +) == before)
            #expect(try await store.count("refund", where: "reason = 'upgrade' AND status = 'done'") == 1)
            #expect(try await anna.subscription().state.period.product == "large")
            try await store.checkMoney()
        }
    }
}

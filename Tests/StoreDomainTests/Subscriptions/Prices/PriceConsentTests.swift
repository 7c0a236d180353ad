// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Consent that a test of the sandbox asks for, and increases beside offers.
@Suite(.timeLimit(.hang))
struct PriceConsentTests {
    private static let start = "2026-01-10 20:00:00"

    @Test(
        "A subscriber who is asked and doesn't answer isn't renewed, also at the same price", arguments: Engine.stores)
    func asked(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: Self.start)
            let transaction = TransactionIdentifier(try await anna.buy("small").transactionIdentifier)
            let ask = AskingForPriceConsent(store.context)
            for _ in 0..<2 { try await ask(transaction) }
            #expect(try await anna.timesTold() == 1)
            #expect(try await anna.increase().map { Subscriber.text($0.applies) } == "2026-02-10 20:00:00")
            try await anna.advance(to: "2026-02-11 00:00:00")
            #expect(try await anna.subscription().state.expired == .priceIncrease)
            #expect(try await anna.ledger() == [4990])
        }
    }

    @Test("A renewal that a test forces needs no consent", arguments: Engine.stores)
    func forced(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: Self.start)
            let transaction = TransactionIdentifier(try await anna.buy("small").transactionIdentifier)
            let found = try await AskingForPriceConsent(store.context)(transaction, price: "9.99")
            try await store.service.renewNow(found.original, of: found.account)
            #expect(try await anna.ledger() == [4990, 4990])
            #expect(try await anna.increase() == nil)
        }
    }

    @Test("The receipt's renewal has the increase until it is answered and paid", arguments: Engine.stores)
    func receipts(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("small")
            func increase() async throws -> PriceIncrease? {
                try await anna.verify(try await anna.receipt()).latest?.renewals.first?.priceIncrease
            }
            #expect(try await increase() == nil)
            try await store.raise(to: "12.99")
            #expect(try await increase()?.isUndecided == true)
            try await anna.advance(to: "2026-02-05 00:00:00")
            try await anna.answerIncrease(true)
            #expect(try await increase()?.isAgreed == true)
            try await anna.advance(to: "2026-02-11 00:00:00")
            #expect(try await increase() == nil)
            #expect(try await anna.ledger() == [4990, 12_990])
        }
    }

    @Test("Periods of an offer keep their price, and the increase applies after them", arguments: Engine.stores)
    func offer(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("large")
            try await store.raise("large", to: "10.99")
            #expect(try await anna.increase().map { Subscriber.text($0.applies) } == "2026-04-10 19:00:00")
            try await anna.advance(to: "2026-04-11 00:00:00")
            #expect(try await anna.ledger() == [990, 990, 990, 10_990])
            try await store.checkMoney()
        }
    }

    @Test("At a shortened speed the notice is shorter, too", arguments: Engine.stores)
    func speed(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber()
            try await anna.advance(.speed(.monthIn5Minutes))
            try await anna.buy("small")
            try await anna.advance(.later(ClockDuration("20s")))
            try await store.raise(to: "5.99")
            // 27 days of 30 are 4 minutes 30 seconds: they end before the renewal.
            try await anna.advance(.later(ClockDuration("5m")))
            #expect(try await anna.ledger() == [4990, 5990])
        }
    }

    @Test("The notice has 7 days, 27 or 60")
    func notice() throws {
        let told = try Subscriber.moment("2026-04-01 12:00:00")
        for (period, real, fast) in [
            (SubscriptionPeriod(1, .week), "2026-04-08 12:00:00", 180),
            (SubscriptionPeriod(1, .month), "2026-04-28 12:00:00", 270),
            (SubscriptionPeriod(2, .month), "2026-05-31 12:00:00", 600),
            (SubscriptionPeriod(1, .year), "2026-05-31 12:00:00", 600),
        ] {
            #expect(Subscriber.text(RenewalSpeed.realTime.noticeEnd(after: told, period: period)) == real)
            let end = RenewalSpeed.monthIn5Minutes.noticeEnd(after: told, period: period)
            #expect(end.milliseconds - told.milliseconds == Int64(fast) * 1000)
        }
    }
}

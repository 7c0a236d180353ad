// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Time passes, and exactly these events, periods and amounts follow.
@Suite(.timeLimit(.hang))
struct RenewalTests {
    @Test("A monthly basket is renewed at each period's end, on the calendar of California", arguments: Engine.stores)
    func monthly(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")

            #expect(first.transactionIdentifier == first.originalTransactionIdentifier)
            #expect(
                try await anna.advance(to: "2026-04-11 00:00:00") == [
                    "2026-02-09 20:00:00 authorised", "2026-02-10 20:00:00 renewed small",
                    "2026-03-09 19:00:00 authorised", "2026-03-10 19:00:00 renewed small",
                    "2026-04-09 19:00:00 authorised", "2026-04-10 19:00:00 renewed small",
                ])
            #expect(
                try await anna.periods() == [
                    "small 2026-01-10 20:00:00 to 2026-02-10 20:00:00",
                    "small 2026-02-10 20:00:00 to 2026-03-10 19:00:00",
                    "small 2026-03-10 19:00:00 to 2026-04-10 19:00:00",
                    "small 2026-04-10 19:00:00 to 2026-05-10 19:00:00",
                ])
            #expect(try await anna.ledger() == [4990, 4990, 4990, 4990])
            #expect(try await anna.status() == .active)
            let queue = try await anna.phone.queue()
            #expect(queue.count == 4)
            #expect(Set(queue.map(\.originalTransactionIdentifier)) == [first.transactionIdentifier])
            #expect(try await store.count("payment", where: "status = 'captured'") == 4)
        }
    }

    @Test(
        "A year in which the card fails in the third month, and recovers in the grace period", arguments: Engine.stores)
    func recoveredInGrace(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.advance(to: "2026-02-20 00:00:00")

            store.cardLimit.milliunits = 0
            #expect(
                try await anna.advance(to: "2026-03-15 00:00:00") == [
                    "2026-03-09 19:00:00 charge failed",
                    "2026-03-10 19:00:00 billing failed until 2026-03-26 19:00:00",
                    "2026-03-11 19:00:00 charge failed", "2026-03-12 19:00:00 charge failed",
                    "2026-03-14 19:00:00 charge failed",
                ])
            #expect(try await anna.status() == .billingGracePeriod)
            store.cardLimit.milliunits = .max
            #expect(
                try await anna.advance(to: "2026-04-11 00:00:00") == [
                    "2026-03-17 19:00:00 recovered small", "2026-04-09 19:00:00 authorised",
                    "2026-04-10 19:00:00 renewed small",
                ])
            try await anna.advance(to: "2027-01-01 00:00:00")

            let periods = try await anna.periods()
            try #require(periods.count == 12)
            // The days of grace are a part of the paid period.
            #expect(periods[2] == "small 2026-03-10 19:00:00 to 2026-04-10 19:00:00")
            #expect(periods[11] == "small 2026-12-10 20:00:00 to 2027-01-10 20:00:00")
            #expect(try await anna.ledger() == Array(repeating: 4990, count: 12))
        }
    }

    @Test("A card that fails for sixty days ends the subscription", arguments: Engine.stores)
    func notRecovered(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            store.cardLimit.milliunits = 0

            let events = try await anna.advance(to: "2026-06-01 00:00:00")

            #expect(events.first == "2026-02-09 20:00:00 charge failed")
            #expect(events.contains("2026-02-10 20:00:00 billing failed until 2026-02-26 20:00:00"))
            #expect(events.contains("2026-02-26 20:00:00 grace ended"))
            #expect(events.last == "2026-04-11 19:00:00 expired (2)")
            #expect(events.count == 16)
            #expect(try await anna.status() == .expired)
            #expect(try await anna.ledger() == [4990])
            // Nothing happens any more.
            #expect(try await anna.advance(to: "2027-06-01 00:00:00") == [])
        }
    }

    @Test("Without a grace period, a recovered subscription begins when it is paid", arguments: Engine.stores)
    func recoveredWithoutGrace(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            store.cardLimit.milliunits = 0
            try await anna.advance(to: "2026-02-15 00:00:00")
            #expect(try await anna.status() == .billingRetry)
            store.cardLimit.milliunits = .max

            #expect(try await anna.advance(to: "2026-02-20 00:00:00") == ["2026-02-17 20:00:00 recovered small"])
            #expect(try await anna.periods().last == "small 2026-02-17 20:00:00 to 2026-03-17 19:00:00")
        }
    }

    @Test(
        "A customer who turns the renewal off keeps the paid period, and can turn it on again", arguments: Engine.stores
    )
    func turnedOff(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            try await anna.setRenewal(false)
            try await anna.setRenewal(true)
            try await anna.advance(to: "2026-02-09 21:00:00")
            // The amount of the next period is authorised already.
            #expect(try await store.count("payment", where: "status = 'authorised'") == 1)
            try await anna.setRenewal(false)

            #expect(try await anna.advance(to: "2026-03-01 00:00:00") == ["2026-02-10 20:00:00 expired (1)"])
            try await store.recover()
            #expect(try await store.count("payment", where: "status = 'voided'") == 1)
            #expect(try await anna.ledger() == [4990])
            #expect(try await anna.status() == .expired)
            await #expect(throws: DomainError(.decided, "")) { try await anna.setRenewal(true) }

            // Bought again, it is the same chain with a new anchor.
            let again = try await anna.buy("yearly")
            #expect(again.originalTransactionIdentifier == first.transactionIdentifier)
            #expect(try await anna.periods().last == "yearly 2026-03-01 00:00:00 to 2027-03-01 00:00:00")
        }
    }

    @Test("Periods that begin on the 31st keep the day, and a leap day comes back", arguments: Engine.stores)
    func lastDays(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2027-01-31 20:00:00")
            try await anna.buy("small")
            try await anna.advance(to: "2027-05-31 20:00:00")
            #expect(
                try await anna.periods().map { $0.suffix(19) } == [
                    "2027-02-28 20:00:00", "2027-03-31 19:00:00", "2027-04-30 19:00:00", "2027-05-31 19:00:00",
                    "2027-06-30 19:00:00",
                ])

            let berta = try await store.subscriber(1, at: "2028-02-29 20:00:00")
            try await berta.buy("yearly")
            try await berta.advance(to: "2033-01-01 00:00:00")
            #expect(
                try await berta.periods().map { $0.suffix(19) } == [
                    "2029-02-28 20:00:00", "2030-02-28 20:00:00", "2031-02-28 20:00:00", "2032-02-29 20:00:00",
                    "2033-02-28 20:00:00",
                ])
        }
    }

    @Test("At a shortened speed a subscription is renewed twelve times", arguments: Engine.stores)
    func shortened(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.advance(.speed(.monthIn5Minutes))
            try await anna.buy("small")

            let events = try await anna.advance(.by(.seconds(86400)))

            #expect(events.count == 13)
            #expect(events.first == "2026-01-10 20:05:00 renewed small")
            #expect(events.last == "2026-01-10 21:05:00 expired (1)")
            #expect(try await anna.periods().count == 13)
        }
    }

    @Test("A subscription that costs nothing is renewed without a payment", arguments: Engine.stores)
    func free(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("free")

            #expect(
                try await anna.advance(to: "2026-03-01 00:00:00") == [
                    "2026-02-09 20:00:00 authorised", "2026-02-10 20:00:00 renewed free",
                ])
            #expect(try await store.count("payment") == 0)
            #expect(try await anna.ledger() == [0, 0])
        }
    }

    @Test("The events of two subscriptions come in the order of their moments", arguments: Engine.stores)
    func twoGroups(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.advance(to: "2026-01-20 20:00:00")
            try await anna.buy("paper")

            let events = try await anna.advance(to: "2026-04-15 00:00:00").filter { $0.contains("renewed") }

            #expect(
                events == [
                    "2026-02-10 20:00:00 renewed small", "2026-02-20 20:00:00 renewed paper",
                    "2026-03-10 19:00:00 renewed small", "2026-03-20 19:00:00 renewed paper",
                    "2026-04-10 19:00:00 renewed small",
                ])
            let dates = try await anna.phone.queue().map(\.purchaseDate)
            #expect(dates == dates.sorted() && dates.count == 7)
        }
    }

    @Test("One long advance equals many short ones", arguments: Engine.stores)
    func shortAdvances(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 3)
            let anna = try await store.subscriber(0, at: "2026-01-10 20:00:00")
            let berta = try await store.subscriber(1, at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await berta.buy("small")

            let long = try await anna.advance(to: "2026-07-01 00:00:00")
            var short: [String] = []
            for day in 1...171 {
                short += try await berta.advance(.by(.seconds(86400)))
                _ = day
            }
            short += try await berta.advance(to: "2026-07-01 00:00:00")

            #expect(long == short && long.count == 10)
            #expect(try await anna.periods() == berta.periods())
        }
    }

    @Test("A store that was down catches up, each renewal dated when it was due", arguments: Engine.stores)
    func wasDown(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber()
            try await anna.buy("weekly")

            store.clock.advance(by: .seconds(30 * 86400))
            await store.service.renewSubscriptions()

            #expect(
                try await anna.periods() == [
                    "weekly 2026-01-02 03:04:05 to 2026-01-09 03:04:05",
                    "weekly 2026-01-09 03:04:05 to 2026-01-16 03:04:05",
                    "weekly 2026-01-16 03:04:05 to 2026-01-23 03:04:05",
                    "weekly 2026-01-23 03:04:05 to 2026-01-30 03:04:05",
                    "weekly 2026-01-30 03:04:05 to 2026-02-06 03:04:05",
                ])
            #expect(try await store.count("subscription", where: "leased_until > 0") == 0)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A monthly basket over a year: exactly these events, ledger entries,
/// unfinished transactions and receipt fields follow, and no others.
@Suite(.timeLimit(.hang))
struct SubscriptionYearTests {
    /// The end of the period that ends in a month of 2026, counted on to 13,
    /// the next January.
    private static func end(_ month: Int) -> String {
        let name = ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "01"][month - 1]
        let hour = (3...10).contains(month) ? 19 : 20
        return "\(month > 12 ? 2027 : 2026)-\(name)-10 \(hour):00:00"
    }

    /// The moment at which the period after that end is charged.
    private static func charge(_ month: Int) -> String {
        end(month).replacing("-10 ", with: "-09 ")
    }

    /// Anna has bought a small basket on 10 January, and it was renewed once.
    private func twoMonths(_ anna: Subscriber) async throws -> Story {
        var story = try await Story(of: anna)
        try await anna.buy("small")
        #expect(
            try await story.changes()
                == Changes(events: ["2026-01-10 20:00:00 subscribed small"], now: ["small renews: active"])
                .paid("small", 4990, Self.end(1), to: Self.end(2)))
        #expect(
            try await story.go(to: "2026-03-01 00:00:00")
                == Changes(
                    events: ["2026-02-09 20:00:00 authorised", "2026-02-10 20:00:00 renewed small"],
                    now: ["small renews: active"]
                )
                .paid("small", 4990, Self.end(2), to: Self.end(3)))
        return story
    }

    @Test("The card fails in the third month, and recovers in the grace period", arguments: Engine.stores)
    func recovered(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            var story = try await twoMonths(anna)

            store.cardLimit.milliunits = 0
            #expect(
                try await story.go(to: "2026-03-10 18:59:59")
                    == Changes(events: ["2026-03-09 19:00:00 charge failed"], now: ["small renews: active"]))
            #expect(
                try await story.go(to: "2026-03-15 00:00:00")
                    == Changes(
                        events: [
                            "2026-03-10 19:00:00 billing failed until 2026-03-26 19:00:00",
                            "2026-03-11 19:00:00 charge failed", "2026-03-12 19:00:00 charge failed",
                            "2026-03-14 19:00:00 charge failed",
                        ], now: ["small renews (2), retried, grace until 2026-03-26 19:00:00: billingGracePeriod"]))
            store.cardLimit.milliunits = .max
            #expect(
                try await story.go(to: "2026-03-18 00:00:00")
                    == Changes(events: ["2026-03-17 19:00:00 recovered small"], now: ["small renews: active"])
                    .paid("small", 4990, Self.end(3), to: Self.end(4), at: "2026-03-17 19:00:00"))

            var rest = Changes(now: ["small renews: active"])
            for month in 4...12 {
                rest.events += ["\(Self.charge(month)) authorised", "\(Self.end(month)) renewed small"]
                rest = rest.paid("small", 4990, Self.end(month), to: Self.end(month + 1))
            }
            #expect(try await story.go(to: "2027-01-01 00:00:00") == rest)
            try await store.checkMoney()
        }
    }

    @Test("The card fails in the third month, and never recovers", arguments: Engine.stores)
    func lost(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            var story = try await twoMonths(anna)
            let retried = "small renews (2), retried, grace until 2026-03-26 19:00:00"

            store.cardLimit.milliunits = 0
            #expect(
                try await story.go(to: "2026-03-20 00:00:00")
                    == Changes(
                        events: [
                            "2026-03-09 19:00:00 charge failed",
                            "2026-03-10 19:00:00 billing failed until 2026-03-26 19:00:00",
                            "2026-03-11 19:00:00 charge failed", "2026-03-12 19:00:00 charge failed",
                            "2026-03-14 19:00:00 charge failed", "2026-03-17 19:00:00 charge failed",
                        ], now: ["\(retried): billingGracePeriod"]))
            #expect(
                try await story.go(to: "2026-03-27 00:00:00")
                    == Changes(
                        events: [
                            "2026-03-21 19:00:00 charge failed", "2026-03-26 19:00:00 grace ended",
                            "2026-03-26 19:00:00 charge failed",
                        ], now: ["\(retried): billingRetry"]))
            #expect(
                try await story.go(to: "2026-05-09 18:59:59")
                    == Changes(
                        events: [
                            "2026-04-01 19:00:00 charge failed", "2026-04-08 19:00:00 charge failed",
                            "2026-04-16 19:00:00 charge failed", "2026-04-24 19:00:00 charge failed",
                            "2026-05-02 19:00:00 charge failed", "2026-05-08 19:00:00 charge failed",
                        ], now: ["\(retried): billingRetry"]))
            let ended = "small ends (2), grace until 2026-03-26 19:00:00: expired"
            #expect(
                try await story.go(to: "2026-06-01 00:00:00")
                    == Changes(events: ["2026-05-09 19:00:00 expired (2)"], now: [ended]))

            // Nothing is charged any more, until the basket is bought again.
            store.cardLimit.milliunits = .max
            #expect(try await story.go(to: "2027-06-01 00:00:00") == Changes(now: [ended]))
            try await anna.buy("small")
            #expect(
                try await story.changes()
                    == Changes(events: ["2027-06-01 00:00:00 subscribed small"], now: ["small renews: active"])
                    .paid("small", 4990, "2027-06-01 00:00:00", to: "2027-07-01 00:00:00"))
            try await store.checkMoney()
        }
    }

    @Test("Without a grace period the recovered basket begins on another day", arguments: Engine.stores)
    func withoutGrace(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            var story = try await twoMonths(anna)

            store.cardLimit.milliunits = 0
            #expect(
                try await story.go(to: "2026-03-13 00:00:00")
                    == Changes(
                        events: [
                            "2026-03-09 19:00:00 charge failed", "2026-03-10 19:00:00 billing failed",
                            "2026-03-11 19:00:00 charge failed", "2026-03-12 19:00:00 charge failed",
                        ], now: ["small renews (2), retried: billingRetry"]))
            store.cardLimit.milliunits = .max
            #expect(
                try await story.go(to: "2026-03-15 00:00:00")
                    == Changes(events: ["2026-03-14 19:00:00 recovered small"], now: ["small renews: active"])
                    .paid("small", 4990, "2026-03-14 19:00:00", to: "2026-04-14 19:00:00"))
            #expect(
                try await story.go(to: "2026-04-15 00:00:00")
                    == Changes(
                        events: ["2026-04-13 19:00:00 authorised", "2026-04-14 19:00:00 renewed small"],
                        now: ["small renews: active"]
                    )
                    .paid("small", 4990, "2026-04-14 19:00:00", to: "2026-05-14 19:00:00"))
        }
    }

    @Test("A customer turns the renewal off, on and off again", arguments: Engine.stores)
    func turnedOff(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            var story = try await twoMonths(anna)

            try await anna.setRenewal(false)
            #expect(
                try await story.changes()
                    == Changes(events: ["2026-03-01 00:00:00 renewal turned off (1)"], now: ["small ends: active"]))
            try await anna.setRenewal(true)
            #expect(
                try await story.changes()
                    == Changes(events: ["2026-03-01 00:00:00 renewal turned on"], now: ["small renews: active"]))
            try await anna.setRenewal(false)
            #expect(
                try await story.go(to: "2027-03-01 00:00:00")
                    == Changes(
                        events: ["2026-03-01 00:00:00 renewal turned off (1)", "2026-03-10 19:00:00 expired (1)"],
                        now: ["small ends (1): expired"]))
        }
    }

    @Test("A customer who cancels while the card is retried ends the basket immediately", arguments: Engine.stores)
    func cancelledInRetry(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            var story = try await twoMonths(anna)
            store.cardLimit.milliunits = 0
            _ = try await story.go(to: "2026-03-11 00:00:00")

            try await anna.setRenewal(false)

            // The entry in pending_renewal_info is dropped.
            #expect(
                try await story.changes()
                    == Changes(
                        events: ["2026-03-11 00:00:00 renewal turned off (1)", "2026-03-11 00:00:00 expired (1)"],
                        now: ["small: expired"]))
            #expect(try await story.go(to: "2027-03-01 00:00:00") == Changes(now: ["small: expired"]))
        }
    }

    @Test("The fifth of eight renewals is refunded", arguments: Engine.stores)
    func refunded(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            var story = try await twoMonths(anna)
            var passed = Changes(now: ["small renews: active"])
            for month in 3...9 {
                passed.events += ["\(Self.charge(month)) authorised", "\(Self.end(month)) renewed small"]
                passed = passed.paid("small", 4990, Self.end(month), to: Self.end(month + 1))
            }
            #expect(try await story.go(to: "2026-09-20 00:00:00") == passed)
            // The first transaction is the purchase.
            let queue = try await anna.phone.queue()
            try #require(queue.count == 9)

            _ = try await store.service.refund(TransactionIdentifier(queue[5].transactionIdentifier))

            #expect(
                try await story.changes()
                    == Changes(
                        events: ["2026-09-20 00:00:00 refunded"], ledger: ["2026-09-20 00:00:00 refund -4990 USD"],
                        phone: ["gone: small 2026-06-10 19:00:00"],
                        receipt: [
                            "gone: small 2026-06-10 19:00:00 to 2026-07-10 19:00:00",
                            "small 2026-06-10 19:00:00 to 2026-07-10 19:00:00 cancelled 2026-09-20 00:00:00",
                        ], now: ["small renews: active"]))
            #expect(
                try await story.go(to: "2026-10-11 00:00:00")
                    == Changes(
                        events: ["\(Self.charge(10)) authorised", "\(Self.end(10)) renewed small"],
                        now: ["small renews: active"]
                    )
                    .paid("small", 4990, Self.end(10), to: Self.end(11)))
            try await store.checkMoney()
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport
import Testing

@testable import StoreDomain

/// Every duration at every speed, bought in a store. The baskets cost nothing,
/// so that a renewal is one transaction. Dates don't depend on the engine.
@Suite(.timeLimit(.hang))
struct DurationTests {
    /// The ends of the first three periods of a week, 1, 2, 3 and 6 months
    /// and a year that begin on 31 January 2026, at noon in California.
    private static let ends = [
        ["2026-02-07 20:00:00", "2026-02-14 20:00:00", "2026-02-21 20:00:00"],
        ["2026-02-28 20:00:00", "2026-03-31 19:00:00", "2026-04-30 19:00:00"],
        ["2026-03-31 19:00:00", "2026-05-31 19:00:00", "2026-07-31 19:00:00"],
        ["2026-04-30 19:00:00", "2026-07-31 19:00:00", "2026-10-31 19:00:00"],
        ["2026-07-31 19:00:00", "2027-01-31 20:00:00", "2027-07-31 19:00:00"],
        ["2027-01-31 20:00:00", "2028-01-31 20:00:00", "2029-01-31 20:00:00"],
    ]

    private static let start = "2026-01-31 20:00:00"

    /// The name of the product, and its periods that begin with one moment and
    /// end with the next.
    private static func periods(_ period: SubscriptionPeriod, _ moments: [String]) -> [String] {
        zip(moments, moments.dropFirst()).map { "\(period.iso8601) \($0) to \($1)" }
    }

    /// The renewals at the moments, without the first and the last one.
    private static func renewed(_ period: SubscriptionPeriod, _ moments: [String], now: String) -> Changes {
        let product = period.iso8601
        var changes = Changes(now: ["\(product) \(now)"])
        for (start, end) in zip(moments.dropFirst(), moments.dropFirst(2)) {
            changes.events.append("\(start) renewed \(product)")
            changes = changes.paid(product, 0, start, to: end)
        }
        return changes
    }

    @Test("At real time each period ends on the calendar, and is charged a day ahead")
    func realTime() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await store.sellDurations()
            for (number, (period, ends)) in zip(SubscriptionPeriod.renewable, Self.ends).enumerated() {
                let anna = try await store.subscriber(number, at: Self.start)
                try await anna.buy(period.iso8601)

                var story = try await Story(of: anna)

                var expected = Changes(now: ["\(period.iso8601) renews: active"])
                for (end, next) in zip(ends, ends.dropFirst()) {
                    let ahead = try Subscriber.moment(end).adding(seconds: -86_400)
                    expected.events += ["\(Subscriber.text(ahead)) authorised", "\(end) renewed \(period.iso8601)"]
                    expected = expected.paid(period.iso8601, 0, end, to: next)
                }
                #expect(try await story.go(to: ends[1]) == expected)
                #expect(try await anna.periods() == Self.periods(period, [Self.start] + ends))
                #expect(try await anna.subscription().state.renews)
            }
        }
    }

    @Test(
        "At a speed in proportion to the month every duration is renewed twelve times, and then ends",
        arguments: RenewalSpeedColumn.scaled)
    func scaled(column: RenewalSpeedColumn) async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await store.sellDurations()
            for (number, (period, seconds)) in zip(SubscriptionPeriod.renewable, column.periods).enumerated() {
                let anna = try await store.subscriber(number, at: Self.start)
                try await anna.advance(.speed(column.speed))
                try await anna.buy(period.iso8601)

                var story = try await Story(of: anna)

                try await anna.advance(.by(.seconds(20 * seconds)))

                let start = try Subscriber.moment(Self.start)
                let moments = (0...13).map { Subscriber.text(start.adding(seconds: $0 * seconds)) }
                var expected = Self.renewed(period, moments, now: "ends (1): expired")
                expected.events.append("\(moments[13]) expired (1)")
                #expect(try await story.changes() == expected)
                #expect(try await anna.periods() == Self.periods(period, moments))
                #expect(try await anna.subscription().state.renews == false)
                #expect(try await anna.status() == .expired)
            }
        }
    }

    @Test(
        "At one renewal for each length of time every duration has that length, without an end",
        arguments: RenewalSpeedColumn.every)
    func every(column: RenewalSpeedColumn) async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await store.sellDurations()
            for (number, (period, seconds)) in zip(SubscriptionPeriod.renewable, column.periods).enumerated() {
                let anna = try await store.subscriber(number, at: Self.start)
                try await anna.advance(.speed(column.speed))
                try await anna.buy(period.iso8601)

                // The weekly one is renewed more often than twelve times.
                let count = number == 0 ? 14 : 2
                var story = try await Story(of: anna)
                try await anna.advance(.by(.seconds(count * seconds)))

                let start = try Subscriber.moment(Self.start)
                let moments = (0...count + 1).map { Subscriber.text(start.adding(seconds: $0 * seconds)) }
                #expect(try await story.changes() == Self.renewed(period, moments, now: "renews: active"))
                #expect(try await anna.periods() == Self.periods(period, moments))
                #expect(try await anna.subscription().state.renews)
            }
        }
    }

    @Test("In a leap year 31 January is followed by 29 February, and 29 February by 28", arguments: Engine.stores)
    func leapYear(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellDurations()
            let anna = try await store.subscriber(0, at: "2028-01-31 20:00:00")
            try await anna.buy("P1M")
            try await anna.advance(to: "2028-03-31 19:00:00")
            #expect(
                try await anna.periods()
                    == Self.periods(
                        .month,
                        ["2028-01-31 20:00:00", "2028-02-29 20:00:00", "2028-03-31 19:00:00", "2028-04-30 19:00:00"]))

            let berta = try await store.subscriber(1, at: "2028-02-29 20:00:00")
            try await berta.buy("P6M")
            try await berta.advance(to: "2029-02-28 20:00:00")
            #expect(
                try await berta.periods()
                    == Self.periods(
                        SubscriptionPeriod(6, .month),
                        ["2028-02-29 20:00:00", "2028-08-29 19:00:00", "2029-02-28 20:00:00", "2029-08-29 19:00:00"]))
        }
    }

    @Test("A speed that is set in the middle of a period begins with the next one", arguments: Engine.stores)
    func otherSpeed(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellDurations()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("P1M")
            try await anna.advance(to: "2026-01-20 00:00:00")
            try await anna.advance(.speed(.monthIn5Minutes))

            #expect(
                try await anna.advance(to: "2026-02-10 20:10:00") == [
                    "2026-02-09 20:00:00 authorised", "2026-02-10 20:00:00 renewed P1M",
                    "2026-02-10 20:05:00 renewed P1M", "2026-02-10 20:10:00 renewed P1M",
                ])
            try await anna.advance(.speed(.realTime))
            #expect(
                try await anna.advance(to: "2026-02-11 00:00:00") == ["2026-02-10 20:15:00 renewed P1M"])
            #expect(try await anna.periods().last == "P1M 2026-02-10 20:15:00 to 2026-03-10 19:15:00")
        }
    }

    @Test("At a shortened speed a failed charge has a shortened grace period and retry", arguments: Engine.stores)
    func shortenedRetry(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.advance(.speed(.monthIn5Minutes))
            try await anna.buy("small")
            var story = try await Story(of: anna)
            store.cardLimit.milliunits = 0

            // The days of the retry have ten seconds.
            #expect(
                try await story.go(to: "2026-01-10 20:07:00")
                    == Changes(
                        events: [
                            "2026-01-10 20:05:00 billing failed until 2026-01-10 20:07:30",
                            "2026-01-10 20:05:10 charge failed", "2026-01-10 20:05:20 charge failed",
                            "2026-01-10 20:05:40 charge failed", "2026-01-10 20:06:10 charge failed",
                            "2026-01-10 20:06:50 charge failed",
                        ], now: ["small renews (2), retried, grace until 2026-01-10 20:07:30: billingGracePeriod"]))
            store.cardLimit.milliunits = .max
            #expect(
                try await story.go(to: "2026-01-10 20:08:00")
                    == Changes(
                        events: ["2026-01-10 20:07:30 grace ended", "2026-01-10 20:07:40 recovered small"],
                        now: ["small renews: active"]
                    )
                    .paid("small", 4990, "2026-01-10 20:07:40", to: "2026-01-10 20:12:40"))
        }
    }

    @Test("A weekly basket has at most 6 days of grace, and a monthly one those of the app", arguments: Engine.stores)
    func grace(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            for (number, (days, weekly, monthly)) in [
                (3, "2026-01-20 20:00:00", "2026-02-13 20:00:00"),
                (16, "2026-01-23 20:00:00", "2026-02-26 20:00:00"),
                (28, "2026-01-23 20:00:00", "2026-03-10 19:00:00"),
            ].enumerated() {
                try await SettingGracePeriod(store.context)(days: days, of: app)
                let anna = try await store.subscriber(number, at: "2026-01-10 20:00:00")
                store.cardLimit.milliunits = .max
                try await anna.buy("weekly")
                try await anna.buy("paper")
                store.cardLimit.milliunits = 0

                let events = try await anna.advance(to: "2026-02-10 20:00:00")

                #expect(
                    events.filter { $0.contains("billing failed") } == [
                        "2026-01-17 20:00:00 billing failed until \(weekly)",
                        "2026-02-10 20:00:00 billing failed until \(monthly)",
                    ])
                #expect(events.contains("\(weekly) grace ended"))
            }
        }
    }
}

extension TestStore {
    /// Sells a free basket of every duration.
    fileprivate func sellDurations() async throws {
        let subscriptions = SubscriptionPeriod.renewable.enumerated().map { number, period in
            Self.subscription(period.iso8601, "0", period.iso8601, number + 1, "DURATIONS")
        }
        try await sell(
            Self.catalogue.replacing(
                "\"version\" :",
                with: """
                    "subscriptionGroups" : [
                      { "id" : "DURATIONS", "name" : "Durations", "localizations" : [], "subscriptions" : [
                        \(subscriptions.joined(separator: ", ")) ] }
                    ],
                    "version" :
                    """))
    }
}

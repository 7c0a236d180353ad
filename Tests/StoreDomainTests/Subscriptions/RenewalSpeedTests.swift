// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import Testing

/// A column of Apple's tables of renewal speeds, in seconds.
struct RenewalSpeedColumn: Sendable, CustomTestStringConvertible {
    var speed: RenewalSpeed
    /// Of a week, 1, 2, 3 and 6 months, and a year.
    var periods: [Int]
    /// The grace period of a weekly subscription and of others, if the app's
    /// setting is 16 days.
    var weeklyGrace, grace: Int
    var retry: Int

    var testDescription: String { speed.rawValue }

    static let scaled = [
        RenewalSpeedColumn(
            speed: .monthIn30Seconds, periods: [10, 30, 60, 90, 180, 360], weeklyGrace: 9, grace: 15, retry: 60),
        // Apple publishes no grace period and no billing retry of this one.
        RenewalSpeedColumn(
            speed: .monthIn3Minutes, periods: [180, 180, 360, 540, 1080, 2160], weeklyGrace: 154, grace: 90,
            retry: 360),
        RenewalSpeedColumn(
            speed: .monthIn5Minutes, periods: [180, 300, 600, 900, 1800, 3600], weeklyGrace: 154, grace: 150,
            retry: 600),
        RenewalSpeedColumn(
            speed: .monthIn15Minutes, periods: [300, 900, 1800, 2700, 5400, 10_800], weeklyGrace: 257, grace: 450,
            retry: 1800),
        RenewalSpeedColumn(
            speed: .monthIn30Minutes, periods: [600, 1800, 3600, 5400, 10_800, 21_600], weeklyGrace: 514, grace: 900,
            retry: 3600),
        RenewalSpeedColumn(
            speed: .monthIn1Hour, periods: [900, 3600, 7200, 10_800, 21_600, 43_200], weeklyGrace: 771, grace: 1800,
            retry: 7200),
    ]

    static let every = [
        (RenewalSpeed.every2Seconds, 2), (.every10Seconds, 10), (.every30Seconds, 30), (.every1Minute, 60),
        (.every5Minutes, 300), (.every15Minutes, 900),
    ].map { speed, seconds in
        RenewalSpeedColumn(
            speed: speed, periods: Array(repeating: seconds, count: 6), weeklyGrace: seconds, grace: seconds,
            retry: 2 * seconds)
    }
}

/// Tests the lengths of periods, grace and billing retry at each speed.
struct RenewalSpeedTests {
    @Test("A speed is read from its raw value")
    func rawValues() {
        #expect(
            RenewalSpeed.all.map(\.rawValue) == [
                "real", "month=30s", "month=3m", "month=5m", "month=15m", "month=30m", "month=1h",
                "every=2s", "every=10s", "every=30s", "every=1m", "every=5m", "every=15m",
            ])
        for speed in RenewalSpeed.all { #expect(RenewalSpeed(rawValue: speed.rawValue) == speed) }
        for text in ["", "Real", "month=5", "month=5m ", "every=3s"] { #expect(RenewalSpeed(rawValue: text) == nil) }
    }

    @Test(
        "Periods, grace and billing retry have Apple's lengths",
        arguments: RenewalSpeedColumn.scaled + RenewalSpeedColumn.every)
    func table(column: RenewalSpeedColumn) throws {
        let speed = column.speed
        #expect(SubscriptionPeriod.renewable.map { speed.length(of: $0) } == column.periods.map { .seconds($0) })
        for period in SubscriptionPeriod.renewable {
            let grace = period == .week ? column.weeklyGrace : column.grace
            #expect(speed.gracePeriod(days: 16, period: period) == .seconds(grace))
        }
        let end = try StoreTime(utc: "2026-03-08 09:59:59")
        #expect(speed.retryEnd(after: end).milliseconds - end.milliseconds == Int64(column.retry) * 1000)
    }

    @Test("Periods at real time end on the calendar", arguments: SubscriptionPeriod.renewable)
    func realTime(period: SubscriptionPeriod) {
        #expect(RenewalSpeed.realTime.length(of: period) == nil)
    }

    @Test("A grace period at real time has the days of the app's setting, a weekly one at most 6")
    func graceDays() {
        for days in [3, 16, 28] {
            for period in SubscriptionPeriod.renewable.dropFirst() {
                #expect(RenewalSpeed.realTime.gracePeriod(days: days, period: period) == .days(days))
            }
        }
        #expect(
            [3, 16, 28].map { RenewalSpeed.realTime.gracePeriod(days: $0, period: .week) } == [
                .days(3), .days(6), .days(6),
            ])
    }

    @Test("A weekly grace period over the end of daylight saving has 6 local days")
    func graceOverDaylightSaving() throws {
        let end = try StoreTime(utc: "2022-11-01 09:15:38")
        let grace = RenewalSpeed.realTime.gracePeriod(days: 16, period: .week)
        #expect(try grace.end(after: end) == StoreTime(utc: "2022-11-07 10:15:38"))
        #expect(GraceLength.seconds(9).end(after: end) == StoreTime(milliseconds: end.milliseconds + 9000))
    }

    @Test("Shortened grace periods of 3 and 28 days are in proportion")
    func shortenedGrace() {
        func seconds(_ speed: RenewalSpeed, _ period: SubscriptionPeriod) -> [GraceLength] {
            [3, 28].map { speed.gracePeriod(days: $0, period: period) }
        }
        #expect(seconds(.monthIn30Seconds, .month) == [.seconds(3), .seconds(26)])
        #expect(seconds(.monthIn30Seconds, .week) == [.seconds(4), .seconds(9)])
        #expect(seconds(.monthIn5Minutes, .year) == [.seconds(28), .seconds(263)])
        #expect(seconds(.monthIn5Minutes, .week) == [.seconds(77), .seconds(154)])
        #expect(seconds(.every10Seconds, .month) == [.seconds(2), .seconds(18)])
        #expect(seconds(.every10Seconds, .week) == [.seconds(5), .seconds(10)])
        #expect(seconds(.every2Seconds, .month) == [.seconds(1), .seconds(4)])
    }

    @Test("The periods of offers are in proportion to the week and the month")
    func offers() {
        let speed = RenewalSpeed.monthIn5Minutes
        #expect(speed.length(of: SubscriptionPeriod(3, .day)) == .seconds(77))
        #expect(speed.length(of: SubscriptionPeriod(2, .week)) == .seconds(360))
        #expect(speed.length(of: SubscriptionPeriod(4, .month)) == .seconds(1200))
        #expect(RenewalSpeed.monthIn30Seconds.length(of: SubscriptionPeriod(3, .day)) == .seconds(4))
        #expect(RenewalSpeed.every10Seconds.length(of: SubscriptionPeriod(3, .day)) == .seconds(10))
    }

    @Test("Only real time charges a renewal before the period's end, by at most a day")
    func chargeLead() {
        for speed in RenewalSpeed.all {
            #expect(speed.chargeLead == (speed == .realTime ? .seconds(86_400) : .zero))
        }
    }

    @Test("Renewal is turned off after 12 renewals where periods are in proportion to the month")
    func renewalLimit() {
        for column in RenewalSpeedColumn.scaled { #expect(column.speed.renewalLimit == 12) }
        for column in RenewalSpeedColumn.every { #expect(column.speed.renewalLimit == nil) }
        #expect(RenewalSpeed.realTime.renewalLimit == nil)
    }
}

/// Tests the attempts of billing retry.
struct RenewalRetryTests {
    @Test("Billing retry at real time has 60 local days, and an attempt a day before the end")
    func realTime() throws {
        let end = try StoreTime(utc: "2022-11-01 09:15:38")
        let retries = RenewalSpeed.realTime.retries(after: end)
        let expected = [
            "2022-11-02 09:15:38", "2022-11-03 09:15:38", "2022-11-05 09:15:38", "2022-11-08 10:15:38",
            "2022-11-12 10:15:38", "2022-11-17 10:15:38", "2022-11-23 10:15:38", "2022-11-30 10:15:38",
            "2022-12-08 10:15:38", "2022-12-16 10:15:38", "2022-12-24 10:15:38", "2022-12-30 10:15:38",
        ]
        #expect(try retries == expected.map { try StoreTime(utc: $0) })
        #expect(try RenewalSpeed.realTime.retryEnd(after: end) == StoreTime(utc: "2022-12-31 10:15:38"))
    }

    @Test("A shortened billing retry has its attempts in proportion")
    func shortened() {
        let end = StoreTime(milliseconds: 1_767_323_045_678)
        let pauses = { (speed: RenewalSpeed) in speed.retries(after: end).map { $0.milliseconds - end.milliseconds } }
        let days: [Int64] = [1, 2, 4, 7, 11, 16, 22, 29, 37, 45, 53, 59]
        #expect(pauses(.monthIn30Seconds) == days.map { $0 * 1000 })
        #expect(pauses(.monthIn1Hour) == days.map { $0 * 120_000 })
        #expect(pauses(.every30Seconds) == days.map { $0 * 1000 })
    }

    @Test("All attempts are after the period's end and before the end of retry", arguments: RenewalSpeed.all)
    func order(speed: RenewalSpeed) throws {
        let end = try StoreTime(utc: "2026-03-01 10:30:00")
        let moments = [end] + speed.retries(after: end) + [speed.retryEnd(after: end)]
        #expect(zip(moments, moments.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("A grace period ends at the latest when billing retry does", arguments: RenewalSpeed.all)
    func graceWithinRetry(speed: RenewalSpeed) throws {
        let end = try StoreTime(utc: "2026-03-01 10:30:00")
        for period in SubscriptionPeriod.renewable {
            let grace = speed.gracePeriod(days: 28, period: period).end(after: end)
            #expect(end < grace && grace <= speed.retryEnd(after: end))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import Testing

/// Tests the ends of periods on the local calendar of Los Angeles.
struct BillingCalendarTests {
    /// Expects the ends of 1, 2, 3 ... periods, each counted from the anchor.
    private func expectEnds(
        _ ends: [String], of period: SubscriptionPeriod, from anchor: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let start = try StoreTime(utc: anchor)
        for (index, end) in ends.enumerated() {
            let date = BillingCalendar.date(adding: period, times: index + 1, to: start)
            #expect(try date == StoreTime(utc: end), "\(index + 1) x \(period.iso8601)", sourceLocation: sourceLocation)
        }
    }

    @Test("Periods end as in published receipts of the App Store")
    func receipts() throws {
        try expectEnds(["2019-11-23 06:29:52", "2019-12-23 06:29:52"], of: .month, from: "2019-10-23 05:29:52")
        try expectEnds(["2019-11-20 18:56:56"], of: .month, from: "2019-10-20 17:56:56")
        try expectEnds(["2019-12-01 01:11:32"], of: .month, from: "2019-10-31 00:11:32")
        try expectEnds(["2017-03-29 02:03:42"], of: .month, from: "2017-03-01 03:03:42")
        try expectEnds(["2022-11-07 10:15:38"], of: SubscriptionPeriod(6, .day), from: "2022-11-01 09:15:38")
        try expectEnds(["2023-05-16 23:20:55"], of: .week, from: "2023-05-09 23:20:55")
        try expectEnds(["2023-07-28 13:54:08", "2023-08-28 13:54:08"], of: .month, from: "2023-06-28 13:54:08")
    }

    @Test("A month that is too short has its last day, and the original day comes back")
    func shortMonths() throws {
        try expectEnds(
            ["2025-02-28 20:00:00", "2025-03-31 19:00:00", "2025-04-30 19:00:00", "2025-05-31 19:00:00"],
            of: .month, from: "2025-01-31 20:00:00")
        try expectEnds(["2024-02-29 20:00:00", "2024-03-31 19:00:00"], of: .month, from: "2024-01-31 20:00:00")
        try expectEnds(["2025-02-28 20:00:00", "2025-03-30 19:00:00"], of: .month, from: "2025-01-30 20:00:00")
        try expectEnds(["2024-02-29 20:00:00", "2024-03-30 19:00:00"], of: .month, from: "2024-01-30 20:00:00")
        try expectEnds(
            ["2025-02-28 20:00:00", "2025-08-31 19:00:00"], of: SubscriptionPeriod(6, .month),
            from: "2024-08-31 19:00:00")
    }

    @Test("29 February becomes 28 February, and comes back in a leap year")
    func leapDay() throws {
        try expectEnds(
            ["2025-02-28 20:00:00", "2026-02-28 20:00:00", "2027-02-28 20:00:00", "2028-02-29 20:00:00"],
            of: .year, from: "2024-02-29 20:00:00")
        try expectEnds(
            ["2100-02-28 20:00:00", "2104-02-29 20:00:00"], of: SubscriptionPeriod(4, .year),
            from: "2096-02-29 20:00:00")
    }

    @Test("A local time that daylight saving skips moves forward by an hour, only in that period")
    func skippedTimes() throws {
        // 02:30 in Los Angeles; the clocks skip it on 8 March 2026.
        try expectEnds(["2026-03-08 10:30:00", "2026-04-08 09:30:00"], of: .month, from: "2026-02-08 10:30:00")
        try expectEnds(["2026-03-08 10:30:00", "2026-03-15 09:30:00"], of: .week, from: "2026-03-01 10:30:00")
        // The first skipped second, and the first one after those.
        try expectEnds(["2026-03-08 10:00:00"], of: .month, from: "2026-02-08 10:00:00")
        try expectEnds(["2026-03-08 10:00:00"], of: .month, from: "2026-02-08 11:00:00")
        // The last second before them.
        try expectEnds(["2026-03-08 09:59:59"], of: .month, from: "2026-02-08 09:59:59")
    }

    @Test("A local time that the end of daylight saving repeats is the first of the two")
    func repeatedTimes() throws {
        // 01:30 in Los Angeles, twice on 1 November 2026.
        try expectEnds(["2026-11-01 08:30:00", "2026-12-01 09:30:00"], of: .month, from: "2026-10-01 08:30:00")
        // The last repeated second, and the first one after those.
        try expectEnds(["2026-11-01 08:59:59"], of: .month, from: "2026-10-01 08:59:59")
        try expectEnds(["2026-11-01 10:00:00"], of: .month, from: "2026-10-01 09:00:00")
    }

    @Test("An anchor in the second of two repeated hours stays where it is")
    func anchorInRepeatedHour() throws {
        let anchor = try StoreTime(utc: "2026-11-01 09:30:00")
        #expect(BillingCalendar.date(adding: .month, times: 0, to: anchor) == anchor)
        try expectEnds(["2026-11-08 09:30:00"], of: .week, from: "2026-11-01 09:30:00")
    }

    @Test("Milliseconds are kept")
    func milliseconds() throws {
        var anchor = try StoreTime(utc: "2019-10-23 05:29:52")
        anchor.milliseconds += 789
        var end = try StoreTime(utc: "2019-11-23 06:29:52")
        end.milliseconds += 789
        #expect(BillingCalendar.date(adding: .month, times: 1, to: anchor) == end)
    }

    @Test("Moments outside of the years 2000 to 9999 become the nearest within")
    func bounds() throws {
        let (earliest, latest) = (BillingCalendar.earliest, BillingCalendar.latest)
        let start = try StoreTime(utc: "2026-05-05 05:05:05")
        #expect(try earliest == StoreTime(utc: "2000-01-01 00:00:00"))
        #expect(BillingCalendar.date(adding: .year, times: 7973, to: start) < latest)
        for period in SubscriptionPeriod.renewable + [SubscriptionPeriod(.max, .day), SubscriptionPeriod(.max, .year)] {
            #expect(BillingCalendar.date(adding: period, times: .max, to: start) == latest)
            #expect(BillingCalendar.date(adding: period, times: 1, to: latest) == latest)
            #expect(BillingCalendar.date(adding: period, times: -1, to: start) == start)
            #expect(BillingCalendar.date(adding: period, times: 0, to: StoreTime(milliseconds: .max)) == latest)
            #expect(BillingCalendar.date(adding: period, times: 0, to: StoreTime(milliseconds: .min)) == earliest)
        }
    }
}

/// Tests the calendar with anchors spread over the years 2000 to 2099.
struct BillingCalendarPropertyTests {
    /// Seconds since 1970, with different days and times of day.
    private static let anchors = stride(from: 946_684_800, to: 4_102_444_800, by: 15_485_863).map {
        StoreTime(milliseconds: Int64($0) * 1000 + 123)
    }

    @Test("More periods end later", arguments: SubscriptionPeriod.renewable + [SubscriptionPeriod(1, .day)])
    func monotonic(period: SubscriptionPeriod) {
        for anchor in Self.anchors {
            let ends = (0...14).map { BillingCalendar.date(adding: period, times: $0, to: anchor) }
            #expect(ends[0] == anchor)
            #expect(zip(ends, ends.dropFirst()).allSatisfy { $0 < $1 }, "\(anchor)")
        }
    }

    @Test("A chain of renewals ends with one period of its whole length", arguments: SubscriptionPeriod.renewable)
    func chain(period: SubscriptionPeriod) {
        for anchor in Self.anchors {
            var place = BillingAnchor(at: anchor)
            for times in 1...14 {
                place = place.advanced(by: period, at: .realTime)
                #expect(place.periodStart == BillingCalendar.date(adding: period, times: times, to: anchor))
            }
        }
    }

    @Test("Ends at midday are those of Foundation's calendar", arguments: SubscriptionPeriod.renewable)
    func foundation(period: SubscriptionPeriod) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        let component: Calendar.Component =
            switch period.unit {
            case .day: .day
            case .week: .weekOfYear
            case .month: .month
            case .year: .year
            }
        for anchor in Self.anchors {
            // 11:00 or 12:00 in Los Angeles, which daylight saving neither
            // skips nor repeats.
            let midday = StoreTime(milliseconds: anchor.milliseconds / 86_400_000 * 86_400_000 + 19 * 3_600_000)
            for times in [1, 2, 5, 11, 13] {
                let end = BillingCalendar.date(adding: period, times: times, to: midday)
                #expect(end.date == calendar.date(byAdding: component, value: period.count * times, to: midday.date))
            }
        }
    }
}

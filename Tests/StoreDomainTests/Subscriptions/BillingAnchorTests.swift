// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import Testing

/// Tests the anchor of chains whose periods change in length or speed.
struct BillingAnchorTests {
    /// Expects the ends of the periods of a chain.
    private func expectEnds(
        from start: String, _ periods: [(SubscriptionPeriod, RenewalSpeed, end: String)],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var anchor = BillingAnchor(at: try StoreTime(utc: start))
        for (period, speed, end) in periods {
            let expected = try StoreTime(utc: end)
            #expect(anchor.end(of: period, at: speed) == expected, "\(end)", sourceLocation: sourceLocation)
            anchor = anchor.advanced(by: period, at: speed)
            #expect(anchor.periodStart == expected, "\(end)", sourceLocation: sourceLocation)
        }
    }

    @Test("A year after a month counts from the anchor of the month")
    func monthThenYear() throws {
        try expectEnds(
            from: "2023-01-31 20:00:00",
            [
                (.month, .realTime, "2023-02-28 20:00:00"),
                (.year, .realTime, "2024-02-29 20:00:00"),
                (.month, .realTime, "2024-03-31 19:00:00"),
            ])
    }

    @Test("The anchor stays while months and years pass")
    func sameAnchor() throws {
        let start = try StoreTime(utc: "2023-01-31 20:00:00")
        let anchor = BillingAnchor(at: start).advanced(by: .month, at: .realTime).advanced(by: .year, at: .realTime)
        #expect(anchor == BillingAnchor(start: start, months: 13, days: 0))
    }

    @Test("Months after a week begin a new anchor where the week ends")
    func weekThenMonth() throws {
        // A free trial of a week, then months.
        try expectEnds(
            from: "2025-01-24 20:00:00",
            [
                (.week, .realTime, "2025-01-31 20:00:00"),
                (.month, .realTime, "2025-02-28 20:00:00"),
                (.month, .realTime, "2025-03-31 19:00:00"),
            ])
    }

    @Test("Weeks after a month begin a new anchor where the month ends")
    func monthThenWeek() throws {
        try expectEnds(
            from: "2025-01-31 20:00:00",
            [
                (.month, .realTime, "2025-02-28 20:00:00"),
                (.week, .realTime, "2025-03-07 20:00:00"),
                (.week, .realTime, "2025-03-14 19:00:00"),
                (.month, .realTime, "2025-04-14 19:00:00"),
            ])
    }

    @Test("Days and weeks count from the same anchor")
    func daysThenWeeks() throws {
        let start = try StoreTime(utc: "2025-01-31 20:00:00")
        let anchor = BillingAnchor(at: start).advanced(by: SubscriptionPeriod(3, .day), at: .realTime)
        #expect(anchor.advanced(by: .week, at: .realTime) == BillingAnchor(start: start, months: 0, days: 10))
    }

    @Test("A shortened period has its seconds, and real time begins a new anchor after it")
    func shortenedPeriods() throws {
        try expectEnds(
            from: "2025-01-31 20:00:00",
            [
                (.month, .realTime, "2025-02-28 20:00:00"),
                (.month, .monthIn5Minutes, "2025-02-28 20:05:00"),
                (.year, .monthIn5Minutes, "2025-02-28 21:05:00"),
                (.month, .every2Seconds, "2025-02-28 21:05:02"),
                (.month, .realTime, "2025-03-28 20:05:02"),
            ])
    }
}

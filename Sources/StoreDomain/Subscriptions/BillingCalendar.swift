// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The calendar on which billing periods end: local time in Los Angeles.
///
/// A period keeps the local time of day, so it is an hour longer or shorter
/// in UTC when daylight saving ends or begins in it. Published receipts of the
/// App Store have ends of this form.
///
/// - Local times that daylight saving skips move forward by an hour: 02:30
///   becomes 03:30. Repeated ones are the first of the two.
/// - Moments outside of the years 2000 to 9999 (UTC) become the nearest
///   moment within.
///
/// Only the zone's offset comes from Foundation. A `Calendar` would be slower,
/// and doesn't document its choice for skipped local times.
package enum BillingCalendar {
    /// The first moment of the year 2000.
    package static let earliest = StoreTime(milliseconds: 946_684_800_000)
    /// The last millisecond of the year 9999.
    package static let latest = StoreTime(milliseconds: 253_402_300_799_999)

    /// Adds a number of periods to an anchor.
    ///
    /// Months and years keep the anchor's day of the month. A shorter month
    /// has its last day instead. Count all periods from one anchor, so that
    /// the original day comes back: 31 January, 28 February, 31 March.
    ///
    /// - Parameters:
    ///   - period: The length of each period.
    ///   - times: The number of periods, 0 or more.
    ///   - anchor: The start of the first period.
    /// - Returns: The end of the last period.
    package static func date(adding period: SubscriptionPeriod, times: Int, to anchor: StoreTime) -> StoreTime {
        let length = period.calendarLength
        let times = min(max(times, 0), SubscriptionPeriod.mostUnits)
        return date(addingMonths: length.months * times, days: length.days * times, to: anchor)
    }

    /// The moment that is a number of months, and then of days, after an
    /// anchor. Neither number is negative.
    static func date(addingMonths months: Int, days: Int, to anchor: StoreTime) -> StoreTime {
        let anchor = bounded(anchor)
        // A repeated local time would otherwise become the first of the two.
        guard months > 0 || days > 0 else { return anchor }
        let (seconds, milliseconds) = anchor.milliseconds.quotientAndRemainder(dividingBy: 1000)
        let (day, secondOfDay) = local(Int(seconds)).quotientAndRemainder(dividingBy: secondsOfDay)
        let laterDay = CivilDate(dayNumber: day).adding(months: months).dayNumber + days
        guard laterDay <= lastDay else { return latest }
        let later = instant(local: laterDay * secondsOfDay + secondOfDay)
        return bounded(StoreTime(milliseconds: Int64(later) * 1000 + milliseconds))
    }

    private static let secondsOfDay = 86_400
    private static let lastDay = CivilDate(year: 9999, month: 12, day: 31).dayNumber

    /// Foundation has the zones' rules in its own data on Linux. UTC instead
    /// of a missing zone would make wrong ends of paid periods.
    private static let zone: TimeZone = {
        guard let zone = TimeZone(identifier: "America/Los_Angeles") else {
            preconditionFailure("Foundation has no time zone America/Los_Angeles")
        }
        return zone
    }()

    private static func bounded(_ time: StoreTime) -> StoreTime {
        min(max(time, earliest), latest)
    }

    /// The seconds from UTC to local time, at seconds since 1970.
    private static func offset(at instant: Int) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
    }

    /// The local time of seconds since 1970, counted as if it were UTC.
    private static func local(_ instant: Int) -> Int {
        instant + offset(at: instant)
    }

    /// The first second since 1970 that has a local time; the second an hour
    /// later on the clock if daylight saving skips the local time.
    private static func instant(local: Int) -> Int {
        // A day away on either side, because the offset changes at most once
        // in some months. The offset before a change gives the first of two
        // repeated times. It also moves skipped ones forward by the change.
        let first = local - offset(at: local - secondsOfDay)
        if self.local(first) == local { return first }
        let second = local - offset(at: local + secondsOfDay)
        return self.local(second) == local ? second : first
    }
}

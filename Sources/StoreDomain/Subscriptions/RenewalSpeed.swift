// SPDX-License-Identifier: Apache-2.0

/// The speed at which the subscriptions of an account renew. Tests and
/// sandbox accounts can shorten the periods.
///
/// The raw values are words of the command line: `real`, `month=5m`,
/// `every=10s`.
package struct RenewalSpeed: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    let pace: Pace

    /// The rule of a speed for the lengths of periods.
    enum Pace: Hashable, Sendable {
        /// Periods end on the ``BillingCalendar``.
        case calendar
        /// A week and a month have these seconds. Other lengths are in
        /// proportion: days to the week, years to the month.
        case scaled(week: Int, month: Int)
        /// Every period has these seconds.
        case every(Int)
    }

    private init(_ rawValue: String, _ pace: Pace) {
        self.rawValue = rawValue
        self.pace = pace
    }

    /// The speed with a raw value; `nil` if there is none.
    package init?(rawValue: String) {
        guard let speed = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = speed
    }

    /// Periods end on the ``BillingCalendar``. Production has only this speed.
    package static let realTime = RenewalSpeed("real", .calendar)

    // Apple's table. A month of 30 seconds exists only in StoreKitTest, one of
    // 3 minutes only in the sandbox.
    package static let monthIn30Seconds = RenewalSpeed("month=30s", .scaled(week: 10, month: 30))
    package static let monthIn3Minutes = RenewalSpeed("month=3m", .scaled(week: 180, month: 180))
    /// Apple's speed of a sandbox account without a setting. Here such an
    /// account has ``realTime``.
    package static let monthIn5Minutes = RenewalSpeed("month=5m", .scaled(week: 180, month: 300))
    package static let monthIn15Minutes = RenewalSpeed("month=15m", .scaled(week: 300, month: 900))
    package static let monthIn30Minutes = RenewalSpeed("month=30m", .scaled(week: 600, month: 1800))
    package static let monthIn1Hour = RenewalSpeed("month=1h", .scaled(week: 900, month: 3600))

    // StoreKitTest's "one renewal every".
    package static let every2Seconds = RenewalSpeed("every=2s", .every(2))
    package static let every10Seconds = RenewalSpeed("every=10s", .every(10))
    package static let every30Seconds = RenewalSpeed("every=30s", .every(30))
    package static let every1Minute = RenewalSpeed("every=1m", .every(60))
    package static let every5Minutes = RenewalSpeed("every=5m", .every(300))
    package static let every15Minutes = RenewalSpeed("every=15m", .every(900))

    /// All speeds.
    package static let all = [
        realTime,
        monthIn30Seconds, monthIn3Minutes, monthIn5Minutes, monthIn15Minutes, monthIn30Minutes, monthIn1Hour,
        every2Seconds, every10Seconds, every30Seconds, every1Minute, every5Minutes, every15Minutes,
    ]
}

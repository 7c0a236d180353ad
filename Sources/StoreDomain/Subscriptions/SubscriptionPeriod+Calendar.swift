// SPDX-License-Identifier: Apache-2.0

extension SubscriptionPeriod {
    /// A bound of the units that the calendar adds. It is greater than the
    /// number of days of all years up to 9999, and small enough that no
    /// product overflows.
    static let mostUnits = 4_000_000

    /// Whether the length is at most a year.
    var isAtMostAYear: Bool { calendarLength.months <= 12 && calendarLength.days <= 366 }

    /// The length as months or as days, of which the other is 0. A year has 12
    /// months, a week has 7 days.
    var calendarLength: CalendarLength {
        let count = min(max(count, 0), Self.mostUnits)
        return switch unit {
        case .day: CalendarLength(days: count)
        case .week: CalendarLength(days: 7 * count)
        case .month: CalendarLength(months: count)
        case .year: CalendarLength(months: 12 * count)
        }
    }

    /// A length in the units that the calendar adds.
    struct CalendarLength: Hashable, Sendable {
        var months = 0
        var days = 0
    }
}

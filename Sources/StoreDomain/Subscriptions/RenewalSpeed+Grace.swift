// SPDX-License-Identifier: Apache-2.0

extension RenewalSpeed {
    /// Gives the length of a subscription's grace period.
    ///
    /// Apple's are the days at real time, and at shortened speeds the lengths
    /// for 16 days: of a weekly subscription six sevenths of the week, of
    /// others half a month, and at "one renewal every" the length of the
    /// period. Ours are the lengths at a month of 3 minutes, and those for 3
    /// and 28 days, which are in proportion to the days. All are rounded to
    /// the nearest second, as Apple's are, and have at least one.
    ///
    /// - Parameters:
    ///   - days: The setting of the app: 3, 16 or 28. A weekly subscription
    ///     has at most 6.
    ///   - period: The period of the subscription.
    /// - Returns: Days at real time, seconds at a shortened speed.
    package func gracePeriod(days: Int, period: SubscriptionPeriod) -> GraceLength {
        let isWeekly = period.calendarLength.months == 0
        let days = isWeekly ? min(days, 6) : days
        return switch pace {
        case .calendar: .days(days)
        case .scaled(let week, let month):
            .seconds(isWeekly ? Self.rounded(week * days, over: 7) : Self.rounded(month * days, over: 32))
        case .every(let seconds): .seconds(Self.rounded(seconds * days, over: isWeekly ? 6 : 16))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The place of a billing period in a chain of renewals: the anchor from which
/// the periods are counted, and the length of those that have passed.
///
/// All periods count from the same anchor, also when their lengths change
/// from a month to a year. So a subscription that was bought on the 31st
/// renews on the 31st of every month that has one:
///
///     let january31 = BillingAnchor(at: purchaseDate)
///     let february28 = january31.advanced(by: SubscriptionPeriod(1, .month), at: .realTime)
///     february28.end(of: SubscriptionPeriod(1, .month), at: .realTime)  // 31 March
///
/// A new anchor begins at the start of a period
///
/// - that is counted in days or weeks after months or years, or the reverse;
/// - at a shortened speed, and at real time after a shortened speed.
package struct BillingAnchor: Hashable, Sendable {
    /// The moment from which the periods are counted.
    package var start: StoreTime
    /// The months of the passed periods; 0 if these are counted in days.
    package var months: Int
    /// The days of the passed periods; 0 if these are counted in months.
    package var days: Int

    package init(start: StoreTime, months: Int, days: Int) {
        self.start = start
        self.months = months
        self.days = days
    }

    /// A new anchor, where the first period starts.
    package init(at start: StoreTime) {
        self.init(start: start, months: 0, days: 0)
    }

    /// The start of the next period.
    package var periodStart: StoreTime {
        guard months > 0 || days > 0 else { return start }
        return BillingCalendar.date(addingMonths: months, days: days, to: start)
    }

    /// The end of the next period.
    package func end(of period: SubscriptionPeriod, at speed: RenewalSpeed) -> StoreTime {
        advanced(by: period, at: speed).periodStart
    }

    /// The place after the next period.
    package func advanced(by period: SubscriptionPeriod, at speed: RenewalSpeed) -> BillingAnchor {
        if let seconds = speed.seconds(of: period) {
            return BillingAnchor(at: periodStart.adding(seconds: seconds))
        }
        let length = period.calendarLength
        let changesUnit = length.months > 0 ? days > 0 : months > 0
        var anchor = changesUnit ? BillingAnchor(at: periodStart) : self
        anchor.months += length.months
        anchor.days += length.days
        return anchor
    }
}

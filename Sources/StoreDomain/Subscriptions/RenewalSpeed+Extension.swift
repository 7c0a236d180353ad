// SPDX-License-Identifier: Apache-2.0

extension RenewalSpeed {
    /// The later end of a period that is extended by a number of days.
    ///
    /// At real time these are days of the ``BillingCalendar``. At a shortened
    /// speed they are in proportion to the period, whose months count 30 days,
    /// and rounded down to the second. So a small number of days may add
    /// nothing, as in Apple's sandbox, where the numbers are unpublished.
    func extended(_ end: StoreTime, days: Int, period: SubscriptionPeriod) -> StoreTime {
        guard let seconds = seconds(of: period) else {
            return BillingCalendar.date(addingMonths: 0, days: days, to: end)
        }
        let length = period.calendarLength
        return end.adding(seconds: seconds * days / max(1, length.months * 30 + length.days))
    }
}

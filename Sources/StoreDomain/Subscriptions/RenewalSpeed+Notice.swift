// SPDX-License-Identifier: Apache-2.0

extension RenewalSpeed {
    /// The end of the notice of a higher price of which a subscriber is
    /// informed at a moment.
    ///
    /// It is 7 days for a weekly subscription, 27 for a monthly one and 60 for
    /// longer periods, on the ``BillingCalendar``. At a shortened speed it is
    /// in proportion to the period, whose months count 30 days.
    package func noticeEnd(after moment: StoreTime, period: SubscriptionPeriod) -> StoreTime {
        let length = period.calendarLength
        let days = length.months == 0 ? 7 : length.months == 1 ? 27 : 60
        guard let seconds = seconds(of: period) else {
            return BillingCalendar.date(addingMonths: 0, days: days, to: moment)
        }
        return moment.adding(seconds: seconds * days / max(1, length.months * 30 + length.days))
    }
}

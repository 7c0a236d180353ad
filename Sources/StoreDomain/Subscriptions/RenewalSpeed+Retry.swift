// SPDX-License-Identifier: Apache-2.0

extension RenewalSpeed {
    /// The moment at which the store gives up a renewal that it couldn't
    /// charge: 60 days after the end of the paid period, on the
    /// ``BillingCalendar``. At a shortened speed it is two months, and at "one
    /// renewal every" two periods. The grace period is a part of this time.
    package func retryEnd(after periodEnd: StoreTime) -> StoreTime {
        retry(afterDays: Self.retryDays, periodEnd)
    }

    /// The moments at which a renewal that failed at the end of the paid
    /// period is charged again. All are before ``retryEnd(after:)``.
    ///
    /// The pauses are ours, because Apple publishes none. They grow from a day
    /// to eight, and the last attempt is a day before the end. At a shortened
    /// speed they are in proportion.
    package func retries(after periodEnd: StoreTime) -> [StoreTime] {
        [1, 2, 4, 7, 11, 16, 22, 29, 37, 45, 53, 59].map { retry(afterDays: $0, periodEnd) }
    }

    private static let retryDays = 60

    /// The moment after a number of the days of billing retry.
    private func retry(afterDays days: Int, _ periodEnd: StoreTime) -> StoreTime {
        let seconds: Int
        switch pace {
        case .calendar:
            return BillingCalendar.date(adding: SubscriptionPeriod(days, .day), times: 1, to: periodEnd)
        case .scaled(_, let month): seconds = 2 * month
        case .every(let period): seconds = 2 * period
        }
        return StoreTime(milliseconds: periodEnd.milliseconds + Int64(seconds * 1000 * days / Self.retryDays))
    }
}

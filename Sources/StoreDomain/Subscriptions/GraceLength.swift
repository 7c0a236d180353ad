// SPDX-License-Identifier: Apache-2.0

/// The length of a grace period, in which a customer keeps the service of a
/// subscription whose renewal couldn't be charged.
package enum GraceLength: Hashable, Sendable {
    /// Days on the ``BillingCalendar``. They end at the local time of day at
    /// which they began.
    case days(Int)
    /// Seconds, at a shortened speed.
    case seconds(Int)

    /// The end of a grace period that begins at the end of the paid period.
    package func end(after periodEnd: StoreTime) -> StoreTime {
        switch self {
        case .days(let days):
            BillingCalendar.date(adding: SubscriptionPeriod(days, .day), times: 1, to: periodEnd)
        case .seconds(let seconds):
            periodEnd.adding(seconds: seconds)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension SKTestSession {
    /// The rates at which the subscriptions of a session renew.
    public enum TimeRate: Int, Sendable {
        /// Periods have their length on the calendar, and the session's time
        /// stands still.
        case realTime = 0
        /// Deprecated by Apple. Here a month takes an hour, as in
        /// ``monthlyRenewalEveryHour``.
        case oneHourIsOneDay = 1
        /// Deprecated by Apple. Here a month takes an hour, as in
        /// ``monthlyRenewalEveryHour``.
        case thirtyMinutesIsOneDay = 2
        /// Deprecated by Apple. Here a month takes an hour, as in
        /// ``monthlyRenewalEveryHour``.
        case fiveMinutesIsOneDay = 3
        /// Deprecated by Apple. A month takes 30 minutes, as in
        /// ``monthlyRenewalEveryThirtyMinutes``.
        case oneMinuteIsOneDay = 4
        /// Deprecated by Apple. A month takes 15 minutes, as in
        /// ``monthlyRenewalEveryFifteenMinutes``.
        case thirtySecondsIsOneDay = 5
        /// Deprecated by Apple. A month takes 30 seconds, as in
        /// ``monthlyRenewalEveryThirtySeconds``.
        case oneSecondIsOneDay = 6
        /// A month takes an hour, and a week 15 minutes.
        case monthlyRenewalEveryHour = 10
        /// A month takes 30 minutes, and a week ten.
        case monthlyRenewalEveryThirtyMinutes = 11
        /// A month takes 15 minutes, and a week five.
        case monthlyRenewalEveryFifteenMinutes = 12
        /// A month takes five minutes, and a week three.
        case monthlyRenewalEveryFiveMinutes = 13
        /// A month takes 30 seconds, and a week ten.
        case monthlyRenewalEveryThirtySeconds = 15
        /// Every period takes 15 minutes.
        case oneRenewalEveryFifteenMinutes = 1000
        /// Every period takes five minutes.
        case oneRenewalEveryFiveMinutes = 1001
        /// Every period takes a minute.
        case oneRenewalEveryMinute = 1002
        /// Every period takes 30 seconds.
        case oneRenewalEveryThirtySeconds = 1003
        /// Every period takes ten seconds.
        case oneRenewalEveryTenSeconds = 1004
        /// Every period takes two seconds.
        case oneRenewalEveryTwoSeconds = 1005
    }
}

extension SKTestSession.TimeRate {
    /// The speed of the store's renewals.
    var speed: RenewalSpeed {
        switch self {
        case .realTime: .realTime
        case .monthlyRenewalEveryHour, .oneHourIsOneDay, .thirtyMinutesIsOneDay, .fiveMinutesIsOneDay: .monthIn1Hour
        case .monthlyRenewalEveryThirtyMinutes, .oneMinuteIsOneDay: .monthIn30Minutes
        case .monthlyRenewalEveryFifteenMinutes, .thirtySecondsIsOneDay: .monthIn15Minutes
        case .monthlyRenewalEveryFiveMinutes: .monthIn5Minutes
        case .monthlyRenewalEveryThirtySeconds, .oneSecondIsOneDay: .monthIn30Seconds
        case .oneRenewalEveryFifteenMinutes: .every15Minutes
        case .oneRenewalEveryFiveMinutes: .every5Minutes
        case .oneRenewalEveryMinute: .every1Minute
        case .oneRenewalEveryThirtySeconds: .every30Seconds
        case .oneRenewalEveryTenSeconds: .every10Seconds
        case .oneRenewalEveryTwoSeconds: .every2Seconds
        }
    }
}

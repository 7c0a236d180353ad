// SPDX-License-Identifier: Apache-2.0

extension RenewalSpeed {
    /// The length of a period; `nil` at real time, where it depends on the
    /// start (``BillingAnchor/end(of:at:)``).
    ///
    /// Apple publishes the lengths of a week and of 1, 2, 3, 6 and 12 months.
    /// Days, as of a free trial of three, are in proportion to the week and
    /// rounded to the nearest second: that rule is ours.
    package func length(of period: SubscriptionPeriod) -> Duration? {
        seconds(of: period).map { .seconds($0) }
    }

    func seconds(of period: SubscriptionPeriod) -> Int? {
        let length = period.calendarLength
        return switch pace {
        case .calendar: nil
        case .scaled(let week, let month):
            length.months > 0 ? length.months * month : Self.rounded(week * length.days, over: 7)
        case .every(let seconds): seconds
        }
    }

    /// The quotient, rounded to the nearest whole second, and at least one.
    static func rounded(_ seconds: Int, over divisor: Int) -> Int {
        max(1, (2 * seconds + divisor) / (2 * divisor))
    }

    /// The time before the end of a period in which its renewal may already be
    /// charged. A shortened period is charged at its end.
    package var chargeLead: Duration {
        pace == .calendar ? .seconds(86_400) : .zero
    }

    /// The number of renewals after which renewal is turned off; `nil` if
    /// there is no limit.
    ///
    /// Apple's sandbox makes 12. The same number at the speed of StoreKitTest,
    /// a month of 30 seconds, is ours.
    package var renewalLimit: Int? {
        switch pace {
        case .calendar, .every: nil
        case .scaled: 12
        }
    }
}

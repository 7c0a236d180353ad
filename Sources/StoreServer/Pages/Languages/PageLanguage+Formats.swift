// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// Prices and dates have the form that the terms of a subscription have.
extension PageLanguage {
    /// `4.99 USD`, `4,99 EUR`.
    func price(_ money: Money) -> String { terms.price(money) }

    /// `4.99 USD per month`.
    func rate(_ price: Money, _ period: SubscriptionPeriod) -> String { terms.rate(price, period) }

    /// `1 month`.
    func length(_ period: SubscriptionPeriod) -> String { terms.length(period) }

    /// `10 April 2026, 19:00 UTC`.
    func date(_ moment: StoreTime) -> String { terms.date(moment) }

    /// A moment of the time outside, such as the last use of a device.
    func date(_ moment: WallTime) -> String { date(StoreTime(milliseconds: moment.milliseconds)) }

    /// `8.1%`, `8,1 %`, of thousandths of a percent.
    func percent(_ thousandths: Int64) -> String { terms.percent(thousandths) }

    /// `1,234`, `1.234`.
    func number(_ number: Int) -> String { terms.number(number) }
}

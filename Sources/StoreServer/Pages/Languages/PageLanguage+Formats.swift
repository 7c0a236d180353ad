// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// Prices and dates have the form that the terms of a subscription have.
extension PageLanguage {
    /// `4.99 USD`, `4,99 EUR`.
    func price(_ money: Money) -> String { terms.price(money) }

    /// `4.99 USD per month`.
    func rate(_ price: Money, _ period: SubscriptionPeriod) -> String { terms.rate(price, period) }

    /// `10 April 2026, 19:00 UTC`.
    func date(_ moment: StoreTime) -> String { terms.date(moment) }

    /// `8.1%`, `8,1 %`, of thousandths of a percent.
    func percent(_ thousandths: Int64) -> String { terms.percent(thousandths) }

    /// `1,234`, `1.234`.
    func number(_ number: Int) -> String { terms.number(number) }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

extension TermsLanguage {
    /// The form of numbers and dates: in English that of the United Kingdom,
    /// because a day before the month can't be mistaken for one after it.
    private var locale: Locale { Locale(identifier: self == .english ? "en_GB" : rawValue) }

    private static let calendar = Calendar(identifier: .gregorian)

    /// `$4.99`, `4,99 €`.
    package func price(_ money: Money) -> String {
        let amount = Decimal(money.milliunits) / 1000
        // The United Kingdom writes US$4.99, and the app and the sheet of the United States $4.99.
        let locale = self == .english ? Locale(identifier: "en_US") : locale
        var style = Decimal.FormatStyle.Currency(code: money.currency, locale: locale)
        // A file's price is the same number in every currency: yen may have
        // decimals, which the currency's own form would round.
        if money.milliunits % 1000 != 0 { style = style.precision(.fractionLength(2...3)) }
        return style.format(amount)
    }

    /// `8.1%`, `8,1 %`, of thousandths of a percent.
    package func percent(_ thousandths: Int64) -> String {
        (Decimal(thousandths) / 100_000).formatted(.percent.locale(locale).precision(.fractionLength(0...3)))
    }

    /// `1,234`, `1.234`.
    package func number(_ number: Int) -> String { number.formatted(.number.locale(locale)) }

    /// `per month`, `per 3 months`, after the price.
    package func rate(_ price: Money, _ period: SubscriptionPeriod) -> String {
        let unit = unit(period.unit)
        return TermsWords.fill(
            period.count == 1 ? unit.rate : unit.rates,
            ["price": self.price(price), "count": String(period.count)])
    }

    /// `1 month`, `3 months`.
    package func length(_ period: SubscriptionPeriod) -> String {
        let unit = unit(period.unit)
        return TermsWords.fill(period.count == 1 ? unit.one : unit.other, ["count": String(period.count)])
    }

    private func unit(_ unit: SubscriptionPeriod.Unit) -> TermsWords.Unit {
        switch unit {
        case .day: words.day
        case .week: words.week
        case .month: words.month
        case .year: words.year
        }
    }

    /// `10 April 2026, 19:00 UTC`.
    package func date(_ moment: StoreTime) -> String {
        let time = Date.VerbatimFormatStyle(
            format: "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
            locale: locale, timeZone: .gmt, calendar: Self.calendar)
        return TermsWords.fill(words.moment, ["day": day(moment.date), "time": time.format(moment.date)])
    }

    private func day(_ date: Date) -> String {
        let style = Date.FormatStyle(
            date: .long, time: .omitted, locale: locale, calendar: Self.calendar, timeZone: .gmt)
        switch self {
        case .french:
            // Foundation writes no ordinal.
            let text = style.format(date)
            return text.hasPrefix("1 ") ? "1er\(text.dropFirst())" : text
        case .italian:
            // A weekday has no article, which would change before 8 and 11.
            return style.weekday(.wide).format(date)
        case .english, .german, .spanish, .portuguese, .dutch, .japanese, .simplifiedChinese, .korean:
            return style.format(date)
        }
    }
}

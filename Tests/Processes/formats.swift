// SPDX-License-Identifier: Apache-2.0
// Prints numbers, prices and dates in every language, as the store formats them. test_release.py compares the output of two
// builds: with all of ICU's data, and with those that packaging/icu.py keeps.

import Foundation

let moment = Date(timeIntervalSince1970: 1_000_000_000)

for identifier in Locale.availableIdentifiers.sorted() {
    let locale = Locale(identifier: identifier)
    let formatter = NumberFormatter()
    formatter.numberStyle = .currency
    formatter.locale = locale
    for currency in Locale.commonISOCurrencyCodes {
        formatter.currencyCode = currency
        let style = Decimal.FormatStyle.Currency(code: currency, locale: locale)
        print(
            identifier, currency, formatter.string(from: 1_234_567.891) ?? "none", style.format(1234.5),
            style.presentation(.isoCode).format(-1234))
    }
    let day = Date.FormatStyle(
        date: .long, time: .omitted, locale: locale, calendar: Calendar(identifier: .gregorian), timeZone: .gmt)
    print(
        identifier, day.format(moment), day.weekday(.wide).format(moment), 1_234_567.formatted(.number.locale(locale)),
        Decimal(0.081).formatted(.percent.locale(locale).precision(.fractionLength(0...3))),
        Locale.Language(identifier: identifier).characterDirection == .rightToLeft)
}
for zone in TimeZone.knownTimeZoneIdentifiers.sorted() {
    print(zone, TimeZone(identifier: zone)?.secondsFromGMT(for: moment) ?? -1)
}
print(moment.formatted(.iso8601), "anna müller".capitalized)
print(URL(string: "http://bücher.example/ü")?.absoluteString ?? "none")

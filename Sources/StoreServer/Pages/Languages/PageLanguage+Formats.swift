// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// Prices and dates have the form that the terms of a subscription have.
extension PageLanguage {
    /// `$4.99`, `4,99 €`.
    func price(_ money: Money) -> String { terms.price(money) }

    /// `$4.99 per month`.
    func rate(_ price: Money, _ period: SubscriptionPeriod) -> String { terms.rate(price, period) }

    /// `1 month`.
    func length(_ period: SubscriptionPeriod) -> String { terms.length(period) }

    /// `10 April 2026, 19:00 UTC`.
    func date(_ moment: StoreTime) -> String { terms.date(moment) }

    /// A moment of the time outside, such as the last use of a device.
    func date(_ moment: WallTime) -> String { date(StoreTime(milliseconds: moment.milliseconds)) }

    /// `8.1%`, `8,1 %`, of thousandths of a percent.
    func percent(_ thousandths: Int64) -> String { terms.percent(thousandths) }

    /// `12 bytes`, `1.5 MB`, `1,5 Mo`, of units of a thousand.
    func size(_ bytes: Int64) -> String {
        let units: [(bytes: Int64, english: String, french: String)] = [
            (1_000_000_000, "GB", "Go"), (1_000_000, "MB", "Mo"), (1000, "kB", "ko"),
        ]
        guard let unit = units.first(where: { bytes >= $0.bytes }) else {
            return "\(bytes) \(self == .french ? "octets" : self == .german ? "Bytes" : "bytes")"
        }
        let tenths = bytes / (unit.bytes / 10)
        let point = self == .english ? "." : ","
        let number = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10)\(point)\(tenths % 10)"
        return "\(number) \(self == .french ? unit.french : unit.english)"
    }

    /// `1,234`, `1.234`.
    func number(_ number: Int) -> String { terms.number(number) }

    /// `Payment: apple`, `Paiement : apple`. French has a space before the
    /// colon, which doesn't end a line.
    func labelled(_ label: String, _ value: String) -> String {
        "\(label)\(self == .french ? "\u{00A0}" : ""): \(value)"
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A length of time on the calendar: of a subscription's period or of an
/// offer.
package struct SubscriptionPeriod: Hashable, Sendable {
    /// A unit of the calendar, by its letter in ISO 8601.
    package enum Unit: String, Hashable, Sendable {
        case day = "D"
        case week = "W"
        case month = "M"
        case year = "Y"
    }

    /// The number of units, 1 or more.
    package var count: Int
    package var unit: Unit

    package init(_ count: Int, _ unit: Unit) {
        self.count = count
        self.unit = unit
    }

    /// Reads a period of one unit, such as `P3M`; `nil` for any other text.
    package init?(iso8601 text: String) {
        let characters = Array(text)
        guard (3...6).contains(characters.count), characters[0] == "P",
            let unit = Unit(rawValue: String(characters[characters.count - 1])),
            characters[1..<characters.count - 1].allSatisfy({ ("0"..."9").contains($0) }),
            let count = Int(String(characters[1..<characters.count - 1])), count > 0
        else { return nil }
        self.init(count, unit)
    }

    /// The text in the form of ISO 8601, such as `P3M`.
    package var iso8601: String { "P\(count)\(unit.rawValue)" }

    /// The lengths of an auto-renewable subscription's period.
    package static let renewable: [SubscriptionPeriod] = [
        SubscriptionPeriod(1, .week), SubscriptionPeriod(1, .month), SubscriptionPeriod(2, .month),
        SubscriptionPeriod(3, .month), SubscriptionPeriod(6, .month), SubscriptionPeriod(1, .year),
    ]
}

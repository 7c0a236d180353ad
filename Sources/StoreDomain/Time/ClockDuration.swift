// SPDX-License-Identifier: Apache-2.0

/// A length of time for which a clock is moved forward, such as `1y2w` or
/// `36h`.
///
/// Years, months, weeks and days are counted on the ``BillingCalendar``, so
/// that a clock that is moved forward by `1mo` reaches the renewal of a
/// monthly subscription that was bought at that moment. Hours, minutes and
/// seconds are added after that.
package struct ClockDuration: Hashable, Sendable {
    package var months = 0
    package var days = 0
    package var seconds = 0

    package init(months: Int = 0, days: Int = 0, seconds: Int = 0) {
        self.months = months
        self.days = days
        self.seconds = seconds
    }

    /// Reads numbers of at most six digits, each with a unit: `y`, `mo`, `w`,
    /// `d`, `h`, `m` or `s`.
    ///
    /// - Throws: ``DomainError`` `invalid` for any other text.
    package init(_ text: String) throws {
        var rest = text.utf8[...]
        guard !rest.isEmpty, rest.count <= 64 else { throw Self.unreadable(text) }
        while !rest.isEmpty {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { !(0x30...0x39).contains($0) }
            rest = rest.dropFirst(unit.count)
            guard (1...6).contains(digits.count), let count = Int(Substring(digits)) else {
                throw Self.unreadable(text)
            }
            switch String(Substring(unit)) {
            case "y": months += 12 * count
            case "mo": months += count
            case "w": days += 7 * count
            case "d": days += count
            case "h": seconds += 3600 * count
            case "m": seconds += 60 * count
            case "s": seconds += count
            default: throw Self.unreadable(text)
            }
        }
    }

    /// The moment that is later by this length.
    func end(after moment: StoreTime) -> StoreTime {
        BillingCalendar.date(addingMonths: months, days: days, to: moment).adding(seconds: seconds)
    }

    private static func unreadable(_ text: String) -> DomainError {
        DomainError(
            .invalid,
            """
            "\(text.prefix(64))" isn't a length of time: write numbers with y, mo, w, d, h, m or s, such as 3d, 12h or \
            1y2w. A month is mo, a minute is m.
            """)
    }
}

// SPDX-License-Identifier: Apache-2.0

public import Foundation

#if !canImport(Darwin)
/// Formats a length of time in English words: "2 weeks", "1 month".
///
/// Foundation on Linux declares the class as unavailable. StoreKit clients
/// format a subscription's period with it. This class has the parts that they
/// use: it formats given components, but no dates, and only in English.
open class DateComponentsFormatter: Formatter, @unchecked Sendable {
    // @unchecked because the class is open and, like all formatters of
    // Foundation, configured before it is used.

    /// The style of the words.
    public enum UnitsStyle: Int, Sendable {
        /// `1:30`
        case positional = 0
        /// `1h 30m`
        case abbreviated = 1
        /// `1 hr, 30 min`
        case short = 2
        /// `1 hour, 30 minutes`
        case full = 3
        /// `one hour, thirty minutes`
        case spellOut = 4
        /// `1hr 30min`
        case brief = 5
    }

    /// The zeros that are omitted; here all of them, except in positional
    /// style.
    public struct ZeroFormattingBehavior: OptionSet, Sendable {
        /// The bits of the set.
        public let rawValue: UInt

        /// A set with these bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// In positional style omits leading zeros, in other styles all zeros.
        public static let `default` = ZeroFormattingBehavior(rawValue: 1 << 0)
        /// Omits leading zeros.
        public static let dropLeading = ZeroFormattingBehavior(rawValue: 1 << 1)
        /// Omits zeros in the middle.
        public static let dropMiddle = ZeroFormattingBehavior(rawValue: 1 << 2)
        /// Omits trailing zeros.
        public static let dropTrailing = ZeroFormattingBehavior(rawValue: 1 << 3)
        /// Omits all zeros.
        public static let dropAll: ZeroFormattingBehavior = [.dropLeading, .dropMiddle, .dropTrailing]
        /// Fills positions with zeros.
        public static let pad = ZeroFormattingBehavior(rawValue: 1 << 16)
    }

    /// The style of the words.
    open var unitsStyle: UnitsStyle = .positional
    /// The units that may be used; when empty, all from years to seconds.
    open var allowedUnits: NSCalendar.Unit = []
    /// The maximum number of units; 0 for all.
    open var maximumUnitCount = 0
    /// The zeros that are omitted. Stored, but without effect.
    open var zeroFormattingBehavior: ZeroFormattingBehavior = .default
    /// The calendar of the components. Stored, but without effect.
    open var calendar: Calendar? = .autoupdatingCurrent
    /// Whether a unit may have a fraction. Stored, but without effect.
    open var allowsFractionalUnits = false
    /// Whether the largest unit may be expressed in smaller ones. Stored, but
    /// without effect.
    open var collapsesLargestUnit = false

    /// Formats components in words.
    open func string(from components: DateComponents) -> String? {
        let named = Unit.all.filter { allowedUnits.isEmpty || allowedUnits.contains($0.flag) }
        var parts = named.compactMap { unit in unit.count(components).flatMap { $0 == 0 ? nil : ($0, unit) } }
        if maximumUnitCount > 0 { parts = Array(parts.prefix(maximumUnitCount)) }
        if unitsStyle == .positional { return positional(parts) }
        // A period of nothing is in its own unit: "0 days".
        if parts.isEmpty, let last = named.last(where: { $0.count(components) != nil }) ?? named.last {
            parts = [(0, last)]
        }
        let separator = unitsStyle == .abbreviated || unitsStyle == .brief ? " " : ", "
        return parts.map { words($0.0, $0.1) }.joined(separator: separator)
    }

    /// Formats a number of seconds in words, in the allowed units from weeks
    /// to seconds; when none are set, in hours, minutes and seconds.
    open func string(from interval: TimeInterval) -> String? {
        guard interval.isFinite, interval.magnitude < 1e15 else { return nil }
        var rest = Int(interval)
        var components = DateComponents()
        let units = allowedUnits.isEmpty ? [.hour, .minute, .second] : allowedUnits
        for unit in Unit.all where units.contains(unit.flag) {
            guard let seconds = unit.seconds else { continue }
            components.setValue(rest / seconds, for: unit.component)
            rest %= seconds
        }
        return string(from: components)
    }

    /// Formats components in the words of a style.
    open class func localizedString(from components: DateComponents, unitsStyle: UnitsStyle) -> String? {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = unitsStyle
        return formatter.string(from: components)
    }

    /// Formats `DateComponents`; `nil` for any other object.
    open override func string(for obj: Any?) -> String? {
        (obj as? DateComponents).flatMap { string(from: $0) }
    }

    private func words(_ count: Int, _ unit: Unit) -> String {
        switch unitsStyle {
        case .full: return "\(count) \(unit.name)\(count == 1 ? "" : "s")"
        case .spellOut:
            let formatter = NumberFormatter()
            formatter.numberStyle = .spellOut
            formatter.locale = Locale(identifier: "en_US")
            let number = formatter.string(from: NSNumber(value: count)) ?? "\(count)"
            return "\(number) \(unit.name)\(count == 1 ? "" : "s")"
        case .short: return "\(count) \(unit.short)\(count == 1 ? "" : unit.plural)"
        case .brief: return "\(count)\(unit.short)\(count == 1 ? "" : unit.plural)"
        case .abbreviated, .positional: return "\(count)\(unit.letter)"
        }
    }

    private func positional(_ parts: [(Int, Unit)]) -> String? {
        guard let first = parts.first else { return "0" }
        let units = Unit.all.drop { $0.name != first.1.name }
        guard let last = parts.last, let end = units.firstIndex(where: { $0.name == last.1.name }) else { return nil }
        return units[...end].map { unit in
            let count = parts.first { $0.1.name == unit.name }?.0 ?? 0
            return unit.name == first.1.name || count > 9 ? "\(count)" : "0\(count)"
        }.joined(separator: ":")
    }
}

extension DateComponentsFormatter {
    private struct Unit {
        var name: String
        var short: String
        /// The suffix of the short name in the plural.
        var plural: String
        var letter: String
        var flag: NSCalendar.Unit
        var component: Calendar.Component
        /// The length in seconds of a unit that always has the same length.
        var seconds: Int?

        static let all = [
            Unit(name: "year", short: "yr", plural: "s", letter: "y", flag: .year, component: .year),
            Unit(name: "month", short: "mth", plural: "s", letter: "mo", flag: .month, component: .month),
            Unit(
                name: "week", short: "wk", plural: "s", letter: "w", flag: .weekOfMonth, component: .weekOfMonth,
                seconds: 604_800),
            Unit(name: "day", short: "day", plural: "s", letter: "d", flag: .day, component: .day, seconds: 86400),
            Unit(name: "hour", short: "hr", plural: "", letter: "h", flag: .hour, component: .hour, seconds: 3600),
            Unit(name: "minute", short: "min", plural: "", letter: "m", flag: .minute, component: .minute, seconds: 60),
            Unit(name: "second", short: "sec", plural: "", letter: "s", flag: .second, component: .second, seconds: 1),
        ]

        func count(_ components: DateComponents) -> Int? {
            // A period of weeks is often given as weeks of the year.
            component == .weekOfMonth
                ? components.weekOfMonth ?? components.weekOfYear : components.value(for: component)
        }
    }
}
#endif

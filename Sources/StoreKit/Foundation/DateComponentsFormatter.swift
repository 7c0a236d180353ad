// SPDX-License-Identifier: Apache-2.0

public import Foundation

#if !canImport(Darwin)
/// Says a length of time in words, in English: "2 weeks", "1 month".
///
/// Foundation on Linux declares the class and leaves it unavailable; StoreKit
/// clients describe a subscription's period with it. What they use of it is
/// here, for components that are given; dates, and other languages, aren't.
open class DateComponentsFormatter: Formatter, @unchecked Sendable {
    // @unchecked because the class is open and set up before it is used, as
    // every formatter of Foundation's.

    /// How long the words are.
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

    /// Which zeros are left out; here all of them, but in positional style.
    public struct ZeroFormattingBehavior: OptionSet, Sendable {
        /// The bits of the set.
        public let rawValue: UInt

        /// A set with these bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Leaves leading and trailing zeros out.
        public static let `default` = ZeroFormattingBehavior(rawValue: 1 << 0)
        /// Leaves leading zeros out.
        public static let dropLeading = ZeroFormattingBehavior(rawValue: 1 << 1)
        /// Leaves zeros in the middle out.
        public static let dropMiddle = ZeroFormattingBehavior(rawValue: 1 << 2)
        /// Leaves trailing zeros out.
        public static let dropTrailing = ZeroFormattingBehavior(rawValue: 1 << 3)
        /// Leaves all zeros out.
        public static let dropAll: ZeroFormattingBehavior = [.dropLeading, .dropMiddle, .dropTrailing]
        /// Fills positions with zeros.
        public static let pad = ZeroFormattingBehavior(rawValue: 1 << 16)
    }

    /// How long the words are.
    open var unitsStyle: UnitsStyle = .positional
    /// The units that may be named; when empty, all from years to seconds.
    open var allowedUnits: NSCalendar.Unit = []
    /// How many units are named at most; 0 for all.
    open var maximumUnitCount = 0
    /// Which zeros are left out. Kept; what is zero is always left out.
    open var zeroFormattingBehavior: ZeroFormattingBehavior = .default
    /// The calendar that the components are of. Kept; components are taken as
    /// they are.
    open var calendar: Calendar? = .autoupdatingCurrent
    /// Whether larger units may be counted in smaller ones. Kept; components
    /// are taken as they are.
    open var allowsFractionalUnits = false
    /// Kept; components are taken as they are.
    open var collapsesLargestUnit = false

    /// The components in words.
    open func string(from components: DateComponents) -> String? {
        let named = Unit.all.filter { allowedUnits.isEmpty || allowedUnits.contains($0.flag) }
        var parts = named.compactMap { unit in unit.count(components).flatMap { $0 == 0 ? nil : ($0, unit) } }
        if maximumUnitCount > 0 { parts = Array(parts.prefix(maximumUnitCount)) }
        if unitsStyle == .positional { return positional(parts) }
        if parts.isEmpty, let last = named.last { parts = [(0, last)] }
        let separator = unitsStyle == .abbreviated || unitsStyle == .brief ? " " : ", "
        return parts.map { words($0.0, $0.1) }.joined(separator: separator)
    }

    /// A number of seconds in words, counted in the allowed units from weeks
    /// downwards; when none are set, in hours, minutes and seconds.
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

    /// The components in words of a style.
    open class func localizedString(from components: DateComponents, unitsStyle: UnitsStyle) -> String? {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = unitsStyle
        return formatter.string(from: components)
    }

    /// The words for `DateComponents`; `nil` for anything else.
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
        /// What the short name ends on when there are several.
        var plural: String
        var letter: String
        var flag: NSCalendar.Unit
        var component: Calendar.Component
        /// For the units that are always as long.
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
            // A period of weeks is often written as weeks of the year.
            component == .weekOfMonth
                ? components.weekOfMonth ?? components.weekOfYear : components.value(for: component)
        }
    }
}
#endif

// SPDX-License-Identifier: Apache-2.0

public import Foundation

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// A length of time: a number of days, weeks, months or years.
    public struct SubscriptionPeriod: Equatable, Hashable, Sendable {
        /// The unit of time.
        public let unit: Product.SubscriptionPeriod.Unit
        /// The number of units.
        public let value: Int

        init(_ unit: Unit, _ value: Int) {
            self.unit = unit
            self.value = value
        }

        /// A week.
        @available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, *)
        public static var weekly: Product.SubscriptionPeriod { .init(.week, 1) }
        /// A month.
        @available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, *)
        public static var monthly: Product.SubscriptionPeriod { .init(.month, 1) }
        /// A year.
        @available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, *)
        public static var yearly: Product.SubscriptionPeriod { .init(.year, 1) }
        /// Three days.
        @available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, *)
        public static var everyThreeDays: Product.SubscriptionPeriod { .init(.day, 3) }
        /// Two weeks.
        @available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, *)
        public static var everyTwoWeeks: Product.SubscriptionPeriod { .init(.week, 2) }
        /// Two months.
        @available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, *)
        public static var everyTwoMonths: Product.SubscriptionPeriod { .init(.month, 2) }
        /// Three months.
        @available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, *)
        public static var everyThreeMonths: Product.SubscriptionPeriod { .init(.month, 3) }
        /// Six months.
        @available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, *)
        public static var everySixMonths: Product.SubscriptionPeriod { .init(.month, 6) }
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionPeriod: CustomDebugStringConvertible {
    /// The number and the unit.
    public var debugDescription: String { "\(value) \(unit)" }

    /// A period of one unit, such as `P3M`; `nil` for any other text.
    init?(iso8601 text: String) {
        let units: [Character: Unit] = ["D": .day, "W": .week, "M": .month, "Y": .year]
        let digits = text.dropFirst().dropLast()
        guard text.first == "P", let last = text.last, let unit = units[last], digits.utf8.count <= 4,
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let count = Int(digits), count > 0
        else { return nil }
        self.init(unit, count)
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionPeriod {
    /// The period as a range of dates that begins at a date, in the Gregorian
    /// calendar.
    public func dateRange(referenceDate: Date = .now) -> Range<Date> {
        let calendar = Calendar(identifier: .gregorian)
        let end = calendar.date(byAdding: DateComponents(subscriptionPeriod: self), to: referenceDate)
        return referenceDate..<max(end ?? referenceDate, referenceDate)
    }

    /// The period in words, as a format of ranges of dates writes it.
    public func formatted<S>(_ format: S, referenceDate: Date = .now) -> S.FormatOutput
    where S: FormatStyle, S.FormatInput == Range<Date> {
        format.format(dateRange(referenceDate: referenceDate))
    }

    /// The period in words, as a format of durations writes it.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public func formatted<S>(_ format: S, referenceDate: Date = .now) -> S.FormatOutput
    where S: FormatStyle, S.FormatInput == Duration {
        let range = dateRange(referenceDate: referenceDate)
        return format.format(.seconds(range.upperBound.timeIntervalSince(range.lowerBound)))
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension DateComponents {
    /// The components of a subscription's period.
    public init(subscriptionPeriod period: Product.SubscriptionPeriod) {
        self.init()
        switch period.unit {
        case .day: day = period.value
        case .week: weekOfYear = period.value
        case .month: month = period.value
        case .year: year = period.value
        }
    }
}

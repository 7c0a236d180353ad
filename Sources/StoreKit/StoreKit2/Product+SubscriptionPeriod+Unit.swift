// SPDX-License-Identifier: Apache-2.0

public import Foundation

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionPeriod {
    /// A unit of time, shorter ones first.
    public enum Unit: Equatable, Hashable, Comparable, Sendable {
        /// A day.
        case day
        /// A week.
        case week
        /// A month.
        case month
        /// A year.
        case year
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionPeriod.Unit: CustomDebugStringConvertible {
    /// The unit's name in English.
    public var debugDescription: String {
        switch self {
        case .day: "day"
        case .week: "week"
        case .month: "month"
        case .year: "year"
        }
    }

    /// The unit's name for a customer, in English.
    @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, *)
    public var localizedDescription: String { debugDescription.capitalized }

    /// The unit in words, as a format writes it.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public func formatted<S>(_ format: S) -> S.FormatOutput
    where S: Foundation.FormatStyle, S.FormatInput == Product.SubscriptionPeriod.Unit {
        format.format(self)
    }

    /// Writes the name of a unit. Other languages than English fall back to
    /// it.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public struct FormatStyle: Foundation.FormatStyle, Sendable {
        /// The type of the units.
        public typealias FormatInput = Product.SubscriptionPeriod.Unit
        /// The type of the words.
        public typealias FormatOutput = String

        private var locale: Locale

        init(locale: Locale) {
            self.locale = locale
        }

        /// The name of a unit.
        public func format(_ value: Product.SubscriptionPeriod.Unit) -> String { value.debugDescription }

        /// A format for another locale.
        public func locale(_ locale: Locale) -> Product.SubscriptionPeriod.Unit.FormatStyle {
            FormatStyle(locale: locale)
        }
    }
}

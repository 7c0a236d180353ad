// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A length of time: a number of days, weeks, months or years.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; its stored values are immutable or
    // locked.
    private let length: (count: Int, unit: SKProduct.PeriodUnit)
    private let keyed = KeyedValues()

    /// The number of units.
    open var numberOfUnits: Int { keyed("numberOfUnits", length.count) }
    /// The unit of time.
    open var unit: SKProduct.PeriodUnit { keyed("unit", length.unit) }

    /// An empty period, for test doubles to derive from.
    public override init() {
        length = (0, .day)
        super.init()
    }

    /// A period of one unit, such as `P3M`; `nil` for any other text.
    init?(iso8601 text: String) {
        let units: [Character: SKProduct.PeriodUnit] = ["D": .day, "W": .week, "M": .month, "Y": .year]
        let digits = text.dropFirst().dropLast()
        guard text.first == "P", let last = text.last, let unit = units[last], digits.utf8.count <= 4,
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let count = Int(digits), count > 0
        else { return nil }
        length = (count, unit)
        super.init()
    }

    /// Sets a property by its name, for tests that make a period without a store.
    ///
    /// An addition to Apple's API, where every Objective-C object has this
    /// method. A wrong name or value ends the process.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, for: key, of: self, keys: Self.keys)
    }

    /// Returns a property by its name; an enumeration as its raw value.
    ///
    /// An addition to Apple's API, where every Objective-C object has this
    /// method. A wrong name ends the process.
    open func value(forKey key: String) -> Any? {
        KeyedValues.value(for: key, of: self, keys: Self.keys)
    }

    private static var keys: [String: KeyedValues.Property<SKProductSubscriptionPeriod>] {
        [
            "numberOfUnits": .init(\.numberOfUnits, KeyedValues.integer), "unit": .init(enumeration: \.unit),
        ]
    }
}

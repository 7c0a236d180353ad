// SPDX-License-Identifier: Apache-2.0

/// A range of whole numbers.
///
/// No number is outside of ±(2^53 - 1), which JSON readers of all languages
/// keep exactly (RFC 8259, section 6), so that adding or subtracting two
/// numbers never overflows.
package protocol NumberLimit: FieldLimit where Value: BinaryInteger {
    /// The numbers that are allowed.
    static var range: ClosedRange<Value> { get }
}

extension NumberLimit {
    /// The reason for a number outside of ``range``; `nil` when it is
    /// allowed.
    package static func refusal(of value: Value) -> String? {
        range.contains(value) ? nil : "is a number from \(range.lowerBound) to \(range.upperBound)"
    }
}

/// The largest whole number in a message.
package let largestNumber: Int64 = (1 << 53) - 1

/// The number of an event of an account, or of a write of a device.
package enum EventNumber: NumberLimit {
    package typealias Value = Int64
    package static let range: ClosedRange<Int64> = 0...largestNumber
}

/// The number of news of a device; `nil` from a store that doesn't number
/// them.
package enum NewsNumber: FieldLimit {
    /// The reason for a number outside of ``EventNumber``'s range; `nil` when
    /// the number is allowed or missing.
    package static func refusal(of value: Int64?) -> String? { value.flatMap(EventNumber.refusal) }
}

/// The difference between an account's time and the store's, in milliseconds;
/// `nil` from a store that has no other times.
package enum ClockOffset: FieldLimit {
    /// The reason for a number outside of ``AnyNumber``'s range; `nil` when
    /// the number is allowed or missing.
    package static func refusal(of value: Int64?) -> String? { value.flatMap(AnyNumber.refusal) }
}

/// Milliseconds since 1970, of the years 1 to 9999.
package enum Milliseconds: NumberLimit {
    package typealias Value = Int64
    package static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
}

/// A price in thousandths of a currency's unit.
package enum Milliunits: NumberLimit {
    package typealias Value = Int64
    package static let range: ClosedRange<Int64> = 0...largestNumber
}

/// The number of an item, as `SKStoreProductParameterITunesItemIdentifier` has
/// it.
package enum ItemNumber: NumberLimit {
    package typealias Value = Int64
    package static let range: ClosedRange<Int64> = 1...largestNumber
}

/// The number of an offer's periods.
package enum OfferPeriods: NumberLimit {
    package typealias Value = Int
    package static let range: ClosedRange<Int> = 1...1_000
}

/// The service level of a subscription in its group, 1 for the highest; `nil`
/// for none.
package enum GroupLevel: FieldLimit {
    private static let range = 0...100_000

    /// The reason for a number outside of 0 to 100000; `nil` when the number
    /// is allowed or missing.
    package static func refusal(of value: Int?) -> String? {
        value.map(range.contains) ?? true
            ? nil : "is a number from \(range.lowerBound) to \(range.upperBound)"
    }
}

/// A page of a list, from 0.
package enum PageNumber: NumberLimit {
    package typealias Value = Int
    package static let range: ClosedRange<Int> = 0...1_000_000
}

/// The next page; `nil` after the last one. The device checks it: a restore
/// fails when the next page isn't after the current one, or there are too
/// many pages.
package enum NextPage: FieldLimit {
    package static func refusal(of value: Int?) -> String? { nil }
}

/// Any number that an app may send. `StoreDomain` checks its meaning.
package enum AnyNumber: NumberLimit {
    package typealias Value = Int64
    package static let range: ClosedRange<Int64> = -largestNumber...largestNumber
}

/// The seconds after which a request may be repeated.
package enum RetryAfter: FieldLimit {
    private static let range = 0...86_400

    /// The reason for a number outside of 0 to 86400; `nil` when the number
    /// is allowed or missing.
    package static func refusal(of value: Int?) -> String? {
        value.map(range.contains) ?? true
            ? nil : "is a number of seconds from \(range.lowerBound) to \(range.upperBound)"
    }

    /// Reads the seconds of an HTTP header `Retry-After`, which a proxy may
    /// have written. A larger number counts as the largest one that is
    /// allowed; `nil` for a date or another text.
    package static func seconds(inHeader text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
        // A number that is too large for an `Int` can't be converted.
        return min(Int(text) ?? range.upperBound, range.upperBound)
    }
}

/// Any number that an app may send as a quantity, or a store as a code.
package enum Quantity: NumberLimit {
    package typealias Value = Int
    package static let range: ClosedRange<Int> = -Int(largestNumber)...Int(largestNumber)
}

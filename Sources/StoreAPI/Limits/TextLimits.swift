// SPDX-License-Identifier: Apache-2.0

/// A text whose number of bytes in UTF-8 is in a range.
package protocol TextLimit: FieldLimit where Value == String {
    /// The numbers of bytes in UTF-8 that are allowed.
    static var bytes: ClosedRange<Int> { get }
}

extension TextLimit {
    /// The reason for a text that is too short or too long; `nil` when it is
    /// allowed.
    package static func refusal(of value: String) -> String? {
        bytes.contains(value.utf8.count)
            ? nil : "has \(bytes.lowerBound) to \(bytes.upperBound) bytes, not \(value.utf8.count)"
    }
}

/// The limit of a text that may be missing.
package enum Optionally<Limit: TextLimit>: FieldLimit {
    /// The refusal of `Limit`; `nil` for a missing text.
    package static func refusal(of value: String?) -> String? { value.flatMap(Limit.refusal) }
}

/// An identifier of an app, a transaction, an account or a key.
package enum Identifier: TextLimit {
    package static let bytes = 1...255
}

/// The identifier with which a device repeats a request.
package enum RequestIdentifierText: TextLimit {
    package static let bytes = 1...200
}

/// A text that an app sends, such as its version or a product's identifier.
/// `StoreDomain` checks whether it names something.
package enum AppText: TextLimit {
    package static let bytes = 0...255
}

/// An app's name for its user (`applicationUsername`).
package enum Username: TextLimit {
    package static let bytes = 0...1000
}

/// A language, such as `de_DE`.
package enum Language: TextLimit {
    package static let bytes = 1...100
}

/// A length of time in the form of ISO 8601, such as `P3M`. The device checks
/// the form: a length that it doesn't know is none.
package enum PeriodText: TextLimit {
    package static let bytes = 1...40
}

/// A signature in base64.
package enum Signature: TextLimit {
    package static let bytes = 0...4_000
}

/// A JWS in compact serialisation.
package enum CompactJWS: TextLimit {
    package static let bytes = 1...8_000
}

/// A place in an account's purchases, in the order of their newest changes.
package enum PlaceText: TextLimit {
    package static let bytes = 1...60
}

/// A value of the key-value store in base64.
package enum KeyValueText: TextLimit {
    package static let bytes = 0...((KeyValueLimits.valueBytes + 2) / 3 * 4)
}

// SPDX-License-Identifier: Apache-2.0

/// The values that a field of a message may have.
package protocol FieldLimit {
    /// The type of the field's value.
    associatedtype Value: Codable, Hashable, Sendable

    /// The reason why a value is refused, worded to follow the field's name
    /// in a sentence; `nil` when the value is allowed.
    static func refusal(of value: Value) -> String?
}

/// A field of a message whose value is checked when the message is decoded.
///
/// ```swift
/// package struct RestoreCall: StoreCall {
///     @Limited<PageNumber> package var page: Int
/// }
/// ```
///
/// Every number in a message, and every text and list in a call, has this
/// wrapper: `scripts/check` refuses a number without it. Encoding doesn't
/// check the value, so that the receiver's answer names the fault.
@propertyWrapper
package struct Limited<Limit: FieldLimit>: Codable, Hashable, Sendable {
    /// The value, which is checked only when it is decoded.
    package var wrappedValue: Limit.Value

    /// Wraps a value without checking it.
    package init(wrappedValue: Limit.Value) {
        self.wrappedValue = wrappedValue
    }

    /// - Throws: ``LimitExceeded``, or `DecodingError` for another type.
    package init(from decoder: any Decoder) throws {
        let value = try Limit.Value(from: decoder)
        if let refusal = Limit.refusal(of: value) {
            throw LimitExceeded(field: decoder.codingPath.fieldName, refusal: refusal)
        }
        wrappedValue = value
    }

    /// Encodes the value itself, without checking it.
    ///
    /// - Throws: The error of the value's own encoding.
    package func encode(to encoder: any Encoder) throws {
        try wrappedValue.encode(to: encoder)
    }
}

/// The error for a field whose value is outside of its limit.
package struct LimitExceeded: Error, CustomStringConvertible {
    /// The place of the field in the message, such as `writes.3.key`, or the
    /// name of a query's or form's field.
    package var field: String
    /// The reason, worded to follow the field's name in a sentence.
    package var refusal: String

    /// A sentence that names the field and its limit.
    package var description: String { "\(field) \(refusal)." }
}

extension [any CodingKey] {
    /// The place of a field in a message, such as `writes.3.key`.
    package var fieldName: String {
        isEmpty ? "the message" : map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}

// Synthesized coding requires a wrapped optional to be present. These
// overloads decode a missing field as `nil`, and do not encode `nil`.

extension KeyedDecodingContainer {
    /// Decodes an optional field; a field that is missing or null is `nil`.
    ///
    /// - Throws: ``LimitExceeded``, or `DecodingError` for another type.
    package func decode<Limit: FieldLimit>(_ type: Limited<Limit>.Type, forKey key: Key) throws -> Limited<Limit>
    where Limit.Value: ExpressibleByNilLiteral {
        try decodeIfPresent(type, forKey: key) ?? Limited(wrappedValue: nil)
    }
}

extension KeyedEncodingContainer {
    /// Encodes an optional field, and omits it when it is `nil`.
    ///
    /// - Throws: The error of the value's own encoding.
    package mutating func encode<Limit: FieldLimit>(_ value: Limited<Limit>, forKey key: Key) throws
    where Limit.Value: ExpressibleByNilLiteral {
        guard value.wrappedValue != nil as Limit.Value else { return }
        try encodeIfPresent(value as Limited<Limit>?, forKey: key)
    }
}

// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// One named field of a signed payload and the type of its value.
public struct PayloadField<Value: PayloadValue>: Sendable {
    /// The field's name in the payload.
    public let name: String

    init(_ name: String) {
        self.name = name
    }
}

/// A type that a field of a signed payload can have.
public protocol PayloadValue: Sendable {
    /// The value, or nil if the JSON is of another type.
    init?(json: JSONValue)
    /// The value as JSON.
    var json: JSONValue { get }
}

extension JSONValue: PayloadValue {
    /// Any value.
    public init?(json: JSONValue) { self = json }
    /// The value itself.
    public var json: JSONValue { self }
}

extension String: PayloadValue {
    /// A string's text.
    public init?(json: JSONValue) {
        guard case .string(let text) = json else { return nil }
        self = text
    }

    /// A string.
    public var json: JSONValue { .string(self) }
}

extension Bool: PayloadValue {
    /// A truth value.
    public init?(json: JSONValue) {
        guard case .bool(let value) = json else { return nil }
        self = value
    }

    /// `true` or `false`.
    public var json: JSONValue { .bool(self) }
}

extension Int64: PayloadValue {
    /// A number without fraction and exponent.
    public init?(json: JSONValue) {
        guard case .number(let text) = json else { return nil }
        self.init(text)
    }

    /// A number.
    public var json: JSONValue { .number(String(self)) }
}

extension Date: PayloadValue {
    /// Milliseconds since 1970, with a fraction in Xcode's payloads.
    public init?(json: JSONValue) {
        guard case .number(let text) = json, let milliseconds = Double(text), milliseconds.isFinite,
            abs(milliseconds) < 1e15
        else { return nil }
        self.init(timeIntervalSince1970: milliseconds / 1000)
    }

    /// Milliseconds since 1970, rounded to the nearest whole number.
    public var json: JSONValue {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return .number(String(Int64(exactly: milliseconds) ?? 0))
    }
}

extension Array: PayloadValue where Element: PayloadValue {
    /// An array whose values all have the element type.
    public init?(json: JSONValue) {
        guard case .array(let values) = json else { return nil }
        let elements = values.compactMap(Element.init(json:))
        guard elements.count == values.count else { return nil }
        self = elements
    }

    /// An array.
    public var json: JSONValue { .array(map(\.json)) }
}

extension PayloadValue where Self: RawRepresentable, RawValue: PayloadValue {
    /// The value with this raw value.
    public init?(json: JSONValue) {
        guard let raw = RawValue(json: json) else { return nil }
        self.init(rawValue: raw)
    }

    /// The raw value as JSON.
    public var json: JSONValue { rawValue.json }
}

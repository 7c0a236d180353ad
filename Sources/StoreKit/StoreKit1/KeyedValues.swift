// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Values that replace an object's own values, by key.
///
/// Tests that were written for Apple's platforms make a product or a
/// transaction by setting its properties through key-value coding, which
/// Foundation on Linux doesn't have.
final class KeyedValues: @unchecked Sendable {
    // @unchecked because the values are of any type; the lock protects them.

    /// Converts a value to the type of a property; `nil` when it doesn't fit.
    typealias Conversion = (Any) -> Any?

    /// The setter's conversion and the getter of a property.
    struct Property<Owner> {
        let conversion: Conversion
        let value: (Owner) -> Any?

        /// A property that is set from a value of its own type, or from any
        /// value that the conversion accepts.
        init<Value>(
            _ path: KeyPath<Owner, Value>, _ conversion: @escaping Conversion = KeyedValues.value(Value.self)
        ) {
            self.conversion = conversion
            value = { $0[keyPath: path] }
        }

        /// A property of an optional type.
        init<Value>(
            _ path: KeyPath<Owner, Value?>, _ conversion: @escaping Conversion = KeyedValues.value(Value.self)
        ) {
            self.conversion = conversion
            value = { $0[keyPath: path] }
        }

        /// An enumeration, which is a number in Objective-C.
        init<Case: RawRepresentable>(enumeration path: KeyPath<Owner, Case>) where Case.RawValue: BinaryInteger {
            conversion = KeyedValues.enumeration(Case.self)
            value = { Int($0[keyPath: path].rawValue) }
        }
    }

    private let lock = NSLock()
    private var values: [String: Any] = [:]

    /// The value that was set for a key, otherwise the object's own value.
    func callAsFunction<Value>(_ key: String, _ own: @autoclosure () -> Value) -> Value {
        guard let value = lock.withLock({ values[key] }) else { return own() }
        return value as? Value ?? own()
    }

    /// Sets a value; `nil` restores the object's own one.
    ///
    /// A key that the object doesn't have, or a value that its property can't
    /// hold, ends the process, as on Apple's platforms.
    func set<Owner>(_ value: Any?, for key: String, of object: Owner, keys: [String: Property<Owner>]) {
        let conversion = Self.property(key, of: object, keys).conversion
        guard let value = Self.unwrapped(value) else { return lock.withLock { values[key] = nil } }
        guard let converted = conversion(value) else {
            preconditionFailure(
                "setValue(_:forKey:): \"\(key)\" of \(type(of: object)) can't hold \(value), a \(type(of: value)).")
        }
        lock.withLock { values[key] = converted }
    }

    /// The value that the getter of a property returns. A subclass may have
    /// overridden the getter.
    ///
    /// A key that the object doesn't have ends the process, as on Apple's
    /// platforms.
    static func value<Owner>(for key: String, of object: Owner, keys: [String: Property<Owner>]) -> Any? {
        property(key, of: object, keys).value(object)
    }

    private static func property<Owner>(
        _ key: String, of object: Owner, _ keys: [String: Property<Owner>]
    ) -> Property<Owner> {
        guard let property = keys[key] else {
            preconditionFailure(
                "key-value coding: \(type(of: object)) has no key \"\(key)\"; it has \(keys.keys.sorted()).")
        }
        return property
    }

    /// Removes nested optionals: an optional that is passed as `Any` is inside
    /// another one.
    private static func unwrapped(_ value: Any?) -> Any? {
        guard let value else { return nil }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value is NSNull ? nil : value }
        return unwrapped(mirror.children.first?.value)
    }
}

extension KeyedValues {
    /// Accepts values of this type.
    static func value<Value>(_: Value.Type) -> Conversion {
        { $0 as? Value }
    }

    /// Accepts a whole number of any type of Swift or Foundation.
    static func integer(_ value: Any) -> Any? {
        if let number = value as? NSNumber { return number.intValue }
        return (value as? any BinaryInteger).flatMap { Int(exactly: $0) }
    }

    /// Accepts a Boolean or a number.
    static func boolean(_ value: Any) -> Any? {
        (value as? Bool) ?? (value as? NSNumber)?.boolValue
    }

    /// Accepts numbers of any type; a single number becomes an array.
    static func numbers(_ value: Any) -> Any? {
        guard let list = value as? [Any] else { return number(value).map { [$0] } }
        let numbers = list.compactMap(number)
        return numbers.count == list.count ? numbers : nil
    }

    private static func number(_ value: Any) -> NSNumber? {
        (value as? NSNumber) ?? (integer(value) as? Int).map { NSNumber(value: $0) }
    }

    /// Accepts a price: any number, or a decimal number as text.
    static func decimal(_ value: Any) -> Any? {
        switch value {
        case let number as NSDecimalNumber: return number
        case let number as Decimal: return NSDecimalNumber(decimal: number)
        case let number as NSNumber: return NSDecimalNumber(decimal: number.decimalValue)
        case let number as any BinaryInteger: return Int64(exactly: number).map { NSDecimalNumber(value: $0) }
        case let number as Double: return NSDecimalNumber(value: number)
        case let number as Float: return NSDecimalNumber(value: number)
        case let text as String:
            let number = NSDecimalNumber(string: text, locale: Locale(identifier: "en_US_POSIX"))
            return number == .notANumber ? nil : number
        default: return nil
        }
    }

    /// Accepts a `Locale` or an `NSLocale`.
    static func locale(_ value: Any) -> Any? {
        (value as? Locale)
            ?? (value as? NSLocale).flatMap { $0.object(forKey: .identifier) as? String }
            .map { Locale(identifier: $0) }
    }

    /// Accepts a case, or its raw value as a number.
    static func enumeration<Case: RawRepresentable>(_: Case.Type) -> Conversion where Case.RawValue: BinaryInteger {
        { value in
            if let value = value as? Case { return value }
            return (integer(value) as? Int).flatMap { Case.RawValue(exactly: $0) }.flatMap { Case(rawValue: $0) }
        }
    }
}

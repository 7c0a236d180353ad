// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What somebody has put in the place of an object's own values, by key.
///
/// Tests that were written for Apple's platforms make a product or a
/// transaction by setting its properties through key-value coding, which
/// Foundation on Linux has for no object.
final class KeyedValues: @unchecked Sendable {
    // @unchecked because the values are of any type; the lock protects them.

    /// What a property's value may be set from; `nil` for anything else.
    typealias Conversion = (Any) -> Any?

    /// A property by its name: how it is set, and how it is read.
    struct Property<Owner> {
        let conversion: Conversion
        let value: (Owner) -> Any?

        /// A property that is set from a value of its own type, or of what a
        /// conversion takes.
        init<Value>(
            _ path: KeyPath<Owner, Value>, _ conversion: @escaping Conversion = KeyedValues.value(Value.self)
        ) {
            self.conversion = conversion
            value = { $0[keyPath: path] }
        }

        /// A property that may have no value.
        init<Value>(
            _ path: KeyPath<Owner, Value?>, _ conversion: @escaping Conversion = KeyedValues.value(Value.self)
        ) {
            self.conversion = conversion
            value = { $0[keyPath: path] }
        }

        /// An enumeration, which Objective-C knows as a number.
        init<Case: RawRepresentable>(enumeration path: KeyPath<Owner, Case>) where Case.RawValue: BinaryInteger {
            conversion = KeyedValues.enumeration(Case.self)
            value = { Int($0[keyPath: path].rawValue) }
        }
    }

    private let lock = NSLock()
    private var values: [String: Any] = [:]

    /// What was set for a key, else the object's own value.
    func callAsFunction<Value>(_ key: String, _ own: @autoclosure () -> Value) -> Value {
        guard let value = lock.withLock({ values[key] }) else { return own() }
        return value as? Value ?? own()
    }

    /// Sets a value, or with `nil` goes back to the object's own.
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

    /// The value of a property as its getter says, which a subclass may have
    /// overridden.
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

    /// An optional that was passed as `Any` is one inside another.
    private static func unwrapped(_ value: Any?) -> Any? {
        guard let value else { return nil }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value is NSNull ? nil : value }
        return unwrapped(mirror.children.first?.value)
    }
}

extension KeyedValues {
    /// A value of exactly this type.
    static func value<Value>(_: Value.Type) -> Conversion {
        { $0 as? Value }
    }

    /// A whole number, whatever Swift or Foundation type it comes in.
    static func integer(_ value: Any) -> Any? {
        if let number = value as? NSNumber { return number.intValue }
        return (value as? any BinaryInteger).flatMap { Int(exactly: $0) }
    }

    /// A Boolean, also as a number.
    static func boolean(_ value: Any) -> Any? {
        (value as? Bool) ?? (value as? NSNumber)?.boolValue
    }

    /// Numbers, in whatever types they come; a single one is a list of one.
    static func numbers(_ value: Any) -> Any? {
        guard let list = value as? [Any] else { return number(value).map { [$0] } }
        let numbers = list.compactMap(number)
        return numbers.count == list.count ? numbers : nil
    }

    private static func number(_ value: Any) -> NSNumber? {
        (value as? NSNumber) ?? (integer(value) as? Int).map { NSNumber(value: $0) }
    }

    /// A price: any number, or a decimal number as text.
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

    /// A locale of either spelling.
    static func locale(_ value: Any) -> Any? {
        (value as? Locale)
            ?? (value as? NSLocale).flatMap { $0.object(forKey: .identifier) as? String }
            .map { Locale(identifier: $0) }
    }

    /// A case, or its raw value as a number.
    static func enumeration<Case: RawRepresentable>(_: Case.Type) -> Conversion where Case.RawValue: BinaryInteger {
        { value in
            if let value = value as? Case { return value }
            return (integer(value) as? Int).flatMap { Case.RawValue(exactly: $0) }.flatMap { Case(rawValue: $0) }
        }
    }
}

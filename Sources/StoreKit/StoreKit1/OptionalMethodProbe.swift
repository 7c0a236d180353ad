// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Detects that a call with a question mark has run a default implementation.
/// Without Objective-C there is no test for it before the call.
enum OptionalMethodProbe {
    private static let key = "StoreKit.MissingMethod"

    /// Records that the default implementation of an object's method has run.
    static func note(_ name: StaticString, of object: AnyObject) {
        Thread.current.threadDictionary[key] = mark(name, object)
    }

    /// Calls a method.
    ///
    /// - Returns: the method's answer; `nil` when the object doesn't implement
    ///   it.
    static func answer<Answer>(_ name: StaticString, of object: AnyObject, _ call: () -> Answer) -> Answer? {
        let thread = Thread.current.threadDictionary
        thread[key] = nil
        let answer = call()
        // Calls that the method makes record other objects or names.
        return thread[key] as? String == mark(name, object) ? nil : answer
    }

    private static func mark(_ name: StaticString, _ object: AnyObject) -> String {
        "\(name) \(UInt(bitPattern: ObjectIdentifier(object).hashValue))"
    }
}

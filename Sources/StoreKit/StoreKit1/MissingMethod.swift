// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Tells a call with a question mark whether it was a default implementation
/// that has answered: without Objective-C nobody can ask before the call.
enum MissingMethod {
    private static let key = "StoreKit.MissingMethod"

    /// Called by the default implementation of an object's method.
    static func note(_ name: StaticString, of object: AnyObject) {
        Thread.current.threadDictionary[key] = mark(name, object)
    }

    /// Calls a method, by name.
    ///
    /// - Returns: its answer; `nil` when the object doesn't have it.
    static func answer<Answer>(_ name: StaticString, of object: AnyObject, _ call: () -> Answer) -> Answer? {
        let thread = Thread.current.threadDictionary
        thread[key] = nil
        let answer = call()
        // What the method has called by itself notes other objects or names.
        return thread[key] as? String == mark(name, object) ? nil : answer
    }

    private static func mark(_ name: StaticString, _ object: AnyObject) -> String {
        "\(name) \(UInt(bitPattern: ObjectIdentifier(object).hashValue))"
    }
}

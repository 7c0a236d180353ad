// SPDX-License-Identifier: Apache-2.0

public import Foundation

// On Linux, Foundation's own hash of an NSError doesn't terminate.
extension SKError {
    /// Equal for equal errors.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.domain)
        hasher.combine(_nsError.code)
    }

    /// Equal for equal errors.
    public var hashValue: Int {
        var hasher = Hasher()
        hash(into: &hasher)
        return hasher.finalize()
    }
}

#if !canImport(ObjectiveC)
// On Apple's platforms `as?` and `catch` convert an NSError of StoreKit's
// domain to an SKError, and third-party tests make their errors in this way.
// Without Objective-C a cast converts types that conform to this protocol, as
// Foundation's own errors do.
extension SKError: _ObjectiveCBridgeable {
    /// The wrapped error, with its user info.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Wraps an error.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) {
        result = SKError(_nsError: source)
    }

    /// Wraps an error of StoreKit's domain, and no other.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) -> Bool {
        result = SKError(_bridgedNSError: source)
        return result != nil
    }

    /// Wraps an error; without one it is `unknown`.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> SKError {
        source.map(SKError.init(_nsError:)) ?? SKError(.unknown)
    }
}
#endif

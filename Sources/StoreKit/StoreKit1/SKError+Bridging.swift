// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Foundation's own hash of an NSError never ends on Linux.
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
// On Apple's platforms `as?` and `catch` turn an NSError of StoreKit's domain
// into an SKError, and tests of other people make their errors so. Without
// Objective-C a cast does that for types which conform to this protocol, as
// Foundation's own do.
extension SKError: _ObjectiveCBridgeable {
    /// The error that this one wraps, with its user info.
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

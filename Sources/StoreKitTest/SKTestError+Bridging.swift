// SPDX-License-Identifier: Apache-2.0

public import Foundation

// On Linux, Foundation's own hash of an NSError doesn't terminate.
extension SKTestError {
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
// See SKError+Bridging.swift for the reason.
extension SKTestError: _ObjectiveCBridgeable {
    /// The wrapped error, with its user info.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Wraps an error.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout SKTestError?) {
        result = SKTestError(_nsError: source)
    }

    /// Wraps an error of this domain, and no other.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout SKTestError?) -> Bool {
        result = SKTestError(_bridgedNSError: source)
        return result != nil
    }

    /// Wraps an error; without one it is `serviceUnavailable`.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> SKTestError {
        source.map(SKTestError.init(_nsError:)) ?? SKTestError(.serviceUnavailable)
    }
}
#endif

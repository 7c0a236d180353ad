// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of ``SKError``.
public let SKErrorDomain = "SKErrorDomain"

/// An error of StoreKit: a code, and what Foundation keeps with an error.
///
/// Errors that StoreKit hands to an app are values of this type, and an
/// `NSError` of this domain turns into one by `as?`.
public struct SKError: _BridgedStoredNSError {
    /// The error that this one wraps.
    public let _nsError: NSError

    /// Wraps an error: of any domain, since wrappers hand on in an `SKError`
    /// whatever a request has failed with.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// ``SKErrorDomain``.
    public static var _nsErrorDomain: String { SKErrorDomain }

    /// ``SKErrorDomain``.
    public static var errorDomain: String { SKErrorDomain }

    /// What went wrong: `paymentCancelled` and the others.
    public typealias Code = SKErrorCode
}

extension SKErrorCode: @retroactive _ErrorCodeProtocol {
    /// The error type that carries these codes.
    public typealias _ErrorType = SKError
}

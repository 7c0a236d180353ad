// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of ``SKError``.
public let SKErrorDomain = "SKErrorDomain"

/// An error of StoreKit, with a code and a user info dictionary.
///
/// Errors that StoreKit passes to an app have this type. `as?` converts an
/// `NSError` of this domain to it.
public struct SKError: _BridgedStoredNSError {
    /// The wrapped error.
    public let _nsError: NSError

    /// Wraps an error of any domain, because wrapper libraries pass on the
    /// error of any failed request as an `SKError`.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// ``SKErrorDomain``.
    public static var _nsErrorDomain: String { SKErrorDomain }

    /// ``SKErrorDomain``.
    public static var errorDomain: String { SKErrorDomain }

    /// The codes, such as `paymentCancelled`.
    public typealias Code = SKErrorCode
}

extension SKErrorCode: @retroactive _ErrorCodeProtocol {
    /// The error type of these codes.
    public typealias _ErrorType = SKError
}

// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of ``SKTestError``.
public let SKTestErrorDomain = "SKTestErrorDomain"

/// An error of a test session.
public struct SKTestError: _BridgedStoredNSError {
    /// The wrapped error.
    public let _nsError: NSError

    /// Wraps an error, which should be of the domain ``SKTestErrorDomain``.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// The error's code; `serviceUnavailable` for an error with another code.
    public var code: Code { Code(rawValue: _nsError.code) ?? .serviceUnavailable }

    /// ``SKTestErrorDomain``.
    public static var _nsErrorDomain: String { SKTestErrorDomain }

    /// ``SKTestErrorDomain``.
    public static var errorDomain: String { SKTestErrorDomain }

    /// The reasons of an error.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        /// The error type of these codes.
        public typealias _ErrorType = SKTestError

        /// The session's store doesn't work.
        case serviceUnavailable = 0
        /// The configuration has no product with the identifier.
        case invalidProductIdentifier = 1
        /// The method isn't for products of this type.
        case invalidProductType = 2
        /// The URL isn't that of a file.
        case invalidURL = 3
        /// The configuration file is missing or can't be read.
        case fileNotFound = 4
        /// The customer has no subscription to the product.
        case noSubscriptionFound = 5
        /// There is no transaction with the identifier.
        case noTransactionFound = 6
        /// The state of the transaction doesn't allow the action.
        case invalidAction = 7
    }

    init(_ code: Code, message: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: message])
    }
}

// These constants let a test write `catch SKTestError.noTransactionFound`.
extension SKTestError {
    /// The code `serviceUnavailable`.
    public static var serviceUnavailable: Code { .serviceUnavailable }
    /// The code `invalidProductIdentifier`.
    public static var invalidProductIdentifier: Code { .invalidProductIdentifier }
    /// The code `invalidProductType`.
    public static var invalidProductType: Code { .invalidProductType }
    /// The code `invalidURL`.
    public static var invalidURL: Code { .invalidURL }
    /// The code `fileNotFound`.
    public static var fileNotFound: Code { .fileNotFound }
    /// The code `noSubscriptionFound`.
    public static var noSubscriptionFound: Code { .noSubscriptionFound }
    /// The code `noTransactionFound`.
    public static var noTransactionFound: Code { .noTransactionFound }
    /// The code `invalidAction`.
    public static var invalidAction: Code { .invalidAction }
}

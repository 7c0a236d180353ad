// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of ``SKTestError``.
public let SKTestErrorDomain = "SKTestErrorDomain"

/// Why a call of a test session didn't do what it was asked.
public struct SKTestError: _BridgedStoredNSError {
    /// The error that this one wraps.
    public let _nsError: NSError

    /// Wraps an error, which should be of the domain ``SKTestErrorDomain``.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// What went wrong; `serviceUnavailable` for an error whose code is none
    /// of these.
    public var code: Code { Code(rawValue: _nsError.code) ?? .serviceUnavailable }

    /// ``SKTestErrorDomain``.
    public static var _nsErrorDomain: String { SKTestErrorDomain }

    /// ``SKTestErrorDomain``.
    public static var errorDomain: String { SKTestErrorDomain }

    /// What went wrong.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        /// The error type that carries these codes.
        public typealias _ErrorType = SKTestError

        /// The session's store is out of order.
        case serviceUnavailable = 0
        /// The configuration has no product with the identifier.
        case invalidProductIdentifier = 1
        /// The product is of a type that the call isn't for.
        case invalidProductType = 2
        /// The address isn't a file's.
        case invalidURL = 3
        /// There is no such configuration file, or it can't be read as one.
        case fileNotFound = 4
        /// The product is no subscription of the customer's.
        case noSubscriptionFound = 5
        /// There is no transaction with the identifier.
        case noTransactionFound = 6
        /// The transaction isn't in a state in which that can be done.
        case invalidAction = 7
    }

    init(_ code: Code, message: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: message])
    }
}

// What lets a test write `catch SKTestError.noTransactionFound`.
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

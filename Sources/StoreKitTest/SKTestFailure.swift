// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreKit

/// A failure that a session simulates.
public protocol SKTestFailure: Equatable, Sendable {
    /// The failure of a code; `nil` for a code of another function.
    init?(_fromErrorCode code: _SKTestFailureCode)
    /// The code of the failure.
    var _errorCode: _SKTestFailureCode { get }
}

extension SKTestFailure {
    /// The failure of a code; `nil` for a code of another function.
    public init?(_fromErrorCode code: _SKTestFailureCode) {
        guard let failure = code.failure as? Self else { return nil }
        self = failure
    }

    /// Whether both are the same failure: the errors that they carry have no
    /// `==` of their own.
    public static func == (left: Self, right: Self) -> Bool { left._errorCode == right._errorCode }
}

/// The code of a failure, which ``SKTestFailures`` make and read.
public struct _SKTestFailureCode: Equatable, Sendable {
    let failure: any SKTestFailure
    /// The failure as StoreKit takes it.
    let simulated: SimulatedFailure

    /// The code of a failure that throws an error.
    init(_ failure: any SKTestFailure, _ error: any Error) {
        self.failure = failure
        simulated = .error(error)
    }

    /// The code of a failure of the verification.
    init(_ failure: any SKTestFailure, _ reason: SignedFailure) {
        self.failure = failure
        simulated = .verification(reason)
    }

    /// Whether the failures are the same. Of two errors of the network or of the
    /// system, the domains and codes count.
    public static func == (left: _SKTestFailureCode, right: _SKTestFailureCode) -> Bool {
        guard type(of: left.failure) == type(of: right.failure) else { return false }
        return switch (left.simulated, right.simulated) {
        case (.error(let left as StoreKitError), .error(let right as StoreKitError)): left.isSame(as: right)
        case (.error(let left as Product.PurchaseError), .error(let right as Product.PurchaseError)): left == right
        case (.error(let left as Transaction.RefundRequestError), .error(let right as Transaction.RefundRequestError)):
            left == right
        case (.verification(let left), .verification(let right)): left == right
        default: false
        }
    }
}

extension StoreKitError {
    fileprivate func isSame(as other: StoreKitError) -> Bool {
        switch (self, other) {
        case (.networkError(let left), .networkError(let right)): left.code == right.code
        case (.systemError(let left), .systemError(let right)): (left as NSError) == (right as NSError)
        case (.unknown, .unknown), (.userCancelled, .userCancelled),
            (.notAvailableInStorefront, .notAvailableInStorefront), (.notEntitled, .notEntitled),
            (.unsupported, .unsupported):
            true
        default: false
        }
    }
}

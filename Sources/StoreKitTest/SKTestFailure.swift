// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// A failure that a session simulates.
public protocol SKTestFailure: Equatable, Sendable {
    /// The failure of a code; `nil` for a code of another function.
    init?(_fromErrorCode code: _SKTestFailureCode)
    /// The code of the failure.
    var _errorCode: _SKTestFailureCode { get }
}

extension SKTestFailure {
    /// Whether both are the same failure: the errors that they carry have no
    /// `==` of their own.
    public static func == (left: Self, right: Self) -> Bool { left._errorCode == right._errorCode }
}

/// The code of a failure, which ``SKTestFailures`` make and read.
public struct _SKTestFailureCode: Equatable, Sendable {
    enum Failure: Sendable {
        case generic(StoreKitError)
        case purchase(Product.PurchaseError)
        case verification(VerificationResult<Any>.VerificationError)
        case refundRequest(Transaction.RefundRequestError)
    }

    let failure: Failure

    init(_ failure: Failure) {
        self.failure = failure
    }

    /// Whether the failures are the same. Of two errors of the network or of the
    /// system, the domains and codes count.
    public static func == (left: _SKTestFailureCode, right: _SKTestFailureCode) -> Bool {
        switch (left.failure, right.failure) {
        case (.generic(let left), .generic(let right)): left.isSame(as: right)
        case (.purchase(let left), .purchase(let right)): left == right
        case (.verification(let left), .verification(let right)): left == right
        case (.refundRequest(let left), .refundRequest(let right)): left == right
        default: false
        }
    }
}

extension _SKTestFailureCode {
    var generic: StoreKitError? {
        if case .generic(let error) = failure { error } else { nil }
    }

    /// The failure as StoreKit takes it.
    var simulated: SimulatedFailure {
        switch failure {
        case .generic(let error): .error(error)
        case .purchase(let error): .error(error)
        case .refundRequest(let error): .error(error)
        case .verification(let error): .verification(error.signed)
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

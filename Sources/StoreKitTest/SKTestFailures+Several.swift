// SPDX-License-Identifier: Apache-2.0

public import StoreKit

extension SKTestFailures {
    /// The failures of `Product.purchase(options:)`.
    public enum Purchase: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
        /// An error of the payment.
        case purchase(Product.PurchaseError)

        /// The failure of a code; `nil` for a code of another function.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            switch code.failure {
            case .generic(let error): self = .generic(error)
            case .purchase(let error): self = .purchase(error)
            default: return nil
            }
        }

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(.generic(error))
            case .purchase(let error): _SKTestFailureCode(.purchase(error))
            }
        }
    }

    /// The failures of `Transaction.beginRefundRequest()`.
    public enum RefundRequest: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
        /// An error of the request.
        case refundRequest(Transaction.RefundRequestError)

        /// The failure of a code; `nil` for a code of another function.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            switch code.failure {
            case .generic(let error): self = .generic(error)
            case .refundRequest(let error): self = .refundRequest(error)
            default: return nil
            }
        }

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(.generic(error))
            case .refundRequest(let error): _SKTestFailureCode(.refundRequest(error))
            }
        }
    }

    /// The failures of the verification of signed values.
    public enum Verification: SKTestFailure {
        /// The reason why no signed value is verified.
        case verification(VerificationResult<Any>.VerificationError)

        /// The failure of a code; `nil` for a code of another function.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            guard case .verification(let error) = code.failure else { return nil }
            self = .verification(error)
        }

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .verification(let error): _SKTestFailureCode(.verification(error))
            }
        }
    }
}

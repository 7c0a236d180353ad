// SPDX-License-Identifier: Apache-2.0

public import StoreKit

/// The failures of StoreKit's functions, by function.
public enum SKTestFailures {
    /// The failures of `Product.products(for:)`.
    public enum LoadProducts: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(self, error)
            }
        }
    }

    /// The failures of `Product.purchase(options:)`.
    public enum Purchase: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
        /// An error of the payment.
        case purchase(Product.PurchaseError)

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(self, error)
            case .purchase(let error): _SKTestFailureCode(self, error)
            }
        }
    }

    /// The failures of `AppStore.sync()`.
    public enum AppStoreSync: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(self, error)
            }
        }
    }

    /// The failures of the status of subscriptions.
    public enum SubscriptionStatus: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(self, error)
            }
        }
    }

    /// The failures of `AppTransaction.shared`.
    public enum AppTransaction: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(self, error)
            }
        }
    }

    /// The failures of `AppStore.showManageSubscriptions()`.
    public enum ManageSubscriptions: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(self, error)
            }
        }
    }

    /// The failures of `Transaction.beginRefundRequest()`.
    public enum RefundRequest: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
        /// An error of the request.
        case refundRequest(Transaction.RefundRequestError)

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(self, error)
            case .refundRequest(let error): _SKTestFailureCode(self, error)
            }
        }
    }

    /// The failures of `AppStore.presentOfferCodeRedeemSheet()`.
    public enum OfferCodeRedeem: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(self, error)
            }
        }
    }

    /// The failures of the verification of signed values.
    public enum Verification: SKTestFailure {
        /// The reason why no signed value is verified.
        case verification(VerificationResult<Any>.VerificationError)

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .verification(let error): _SKTestFailureCode(self, error.signed)
            }
        }
    }
}

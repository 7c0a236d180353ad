// SPDX-License-Identifier: Apache-2.0

public import StoreKit

/// The failures of StoreKit's functions, by function.
public enum SKTestFailures {
    /// The failures of `Product.products(for:)`.
    public enum LoadProducts: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)

        /// The failure of a code; `nil` for a code of another function.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            guard let error = code.generic else { return nil }
            self = .generic(error)
        }

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(.generic(error))
            }
        }
    }

    /// The failures of `AppStore.sync()`.
    public enum AppStoreSync: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)

        /// The failure of a code; `nil` for a code of another function.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            guard let error = code.generic else { return nil }
            self = .generic(error)
        }

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(.generic(error))
            }
        }
    }

    /// The failures of the status of subscriptions.
    public enum SubscriptionStatus: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)

        /// The failure of a code; `nil` for a code of another function.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            guard let error = code.generic else { return nil }
            self = .generic(error)
        }

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(.generic(error))
            }
        }
    }

    /// The failures of `AppTransaction.shared`.
    public enum AppTransaction: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)

        /// The failure of a code; `nil` for a code of another function.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            guard let error = code.generic else { return nil }
            self = .generic(error)
        }

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(.generic(error))
            }
        }
    }

    /// The failures of `AppStore.showManageSubscriptions()`.
    public enum ManageSubscriptions: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)

        /// The failure of a code; `nil` for a code of another function.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            guard let error = code.generic else { return nil }
            self = .generic(error)
        }

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(.generic(error))
            }
        }
    }

    /// The failures of `AppStore.presentOfferCodeRedeemSheet()`.
    public enum OfferCodeRedeem: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)

        /// The failure of a code; `nil` for a code of another function.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            guard let error = code.generic else { return nil }
            self = .generic(error)
        }

        /// The code of the failure.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(.generic(error))
            }
        }
    }
}

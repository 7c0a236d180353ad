// SPDX-License-Identifier: Apache-2.0

import StoreKit

/// A function of StoreKit whose failure a session can simulate.
public protocol FailableStoreKitAPI<Failure>: Sendable {
    /// The failures of the function.
    associatedtype Failure: SKTestFailure
}

/// `Product.products(for:)`, whose failure a session can simulate.
public struct StoreKitLoadProductsAPI: FailableStoreKitAPI {
    /// The failures of the function.
    public typealias Failure = SKTestFailures.LoadProducts

    /// The function.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitLoadProductsAPI {
    /// `Product.products(for:)`.
    public static var loadProducts: StoreKitLoadProductsAPI { StoreKitLoadProductsAPI() }
}

/// `Product.purchase(options:)`, whose failure a session can simulate.
public struct StoreKitPurchaseAPI: FailableStoreKitAPI {
    /// The failures of the function.
    public typealias Failure = SKTestFailures.Purchase

    /// The function.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitPurchaseAPI {
    /// `Product.purchase(options:)`.
    public static var purchase: StoreKitPurchaseAPI { StoreKitPurchaseAPI() }
}

/// The verification of signed values, whose failure a session can simulate.
public struct StoreKitVerificationAPI: FailableStoreKitAPI {
    /// The failures of the function.
    public typealias Failure = SKTestFailures.Verification

    /// The function.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitVerificationAPI {
    /// The verification of signed values.
    public static var verification: StoreKitVerificationAPI { StoreKitVerificationAPI() }
}

/// `AppStore.sync()`, whose failure a session can simulate.
public struct StoreKitAppStoreSyncAPI: FailableStoreKitAPI {
    /// The failures of the function.
    public typealias Failure = SKTestFailures.AppStoreSync

    /// The function.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitAppStoreSyncAPI {
    /// `AppStore.sync()`.
    public static var appStoreSync: StoreKitAppStoreSyncAPI { StoreKitAppStoreSyncAPI() }
}

/// The status of subscriptions, whose failure a session can simulate.
public struct StoreKitSubscriptionStatusAPI: FailableStoreKitAPI {
    /// The failures of the function.
    public typealias Failure = SKTestFailures.SubscriptionStatus

    /// The function.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitSubscriptionStatusAPI {
    /// The status of subscriptions.
    public static var subscriptionStatus: StoreKitSubscriptionStatusAPI { StoreKitSubscriptionStatusAPI() }
}

/// `AppTransaction.shared`, whose failure a session can simulate.
public struct StoreKitAppTransactionAPI: FailableStoreKitAPI {
    /// The failures of the function.
    public typealias Failure = SKTestFailures.AppTransaction

    /// The function.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitAppTransactionAPI {
    /// `AppTransaction.shared`.
    public static var appTransaction: StoreKitAppTransactionAPI { StoreKitAppTransactionAPI() }
}

/// `AppStore.showManageSubscriptions()`, whose failure a session can simulate.
public struct StoreKitManageSubscriptionsAPI: FailableStoreKitAPI {
    /// The failures of the function.
    public typealias Failure = SKTestFailures.ManageSubscriptions

    /// The function.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitManageSubscriptionsAPI {
    /// `AppStore.showManageSubscriptions()`.
    public static var manageSubscriptions: StoreKitManageSubscriptionsAPI { StoreKitManageSubscriptionsAPI() }
}

/// `Transaction.beginRefundRequest()`, whose failure a session can simulate.
public struct StoreKitRefundRequestAPI: FailableStoreKitAPI {
    /// The failures of the function.
    public typealias Failure = SKTestFailures.RefundRequest

    /// The function.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitRefundRequestAPI {
    /// `Transaction.beginRefundRequest()`.
    public static var refundRequest: StoreKitRefundRequestAPI { StoreKitRefundRequestAPI() }
}

/// `AppStore.presentOfferCodeRedeemSheet()`, whose failure a session can simulate.
public struct StoreKitOfferCodeRedeemAPI: FailableStoreKitAPI {
    /// The failures of the function.
    public typealias Failure = SKTestFailures.OfferCodeRedeem

    /// The function.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitOfferCodeRedeemAPI {
    /// `AppStore.presentOfferCodeRedeemSheet()`.
    public static var offerCodeRedeem: StoreKitOfferCodeRedeemAPI { StoreKitOfferCodeRedeemAPI() }
}

extension SimulatedAPI {
    /// The function of a type; `nil` for a type that StoreKitTest doesn't have.
    init?<API: FailableStoreKitAPI>(_ api: API.Type) {
        switch api {
        case is StoreKitLoadProductsAPI.Type: self = .loadProducts
        case is StoreKitPurchaseAPI.Type: self = .purchase
        case is StoreKitVerificationAPI.Type: self = .verification
        case is StoreKitAppStoreSyncAPI.Type: self = .appStoreSync
        case is StoreKitSubscriptionStatusAPI.Type: self = .subscriptionStatus
        case is StoreKitAppTransactionAPI.Type: self = .appTransaction
        case is StoreKitManageSubscriptionsAPI.Type: self = .manageSubscriptions
        case is StoreKitRefundRequestAPI.Type: self = .refundRequest
        case is StoreKitOfferCodeRedeemAPI.Type: self = .offerCodeRedeem
        default: return nil
        }
    }
}

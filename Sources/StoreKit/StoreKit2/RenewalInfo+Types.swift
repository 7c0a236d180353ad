// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo.RenewalInfo {
    /// Why a subscription ended.
    public struct ExpirationReason: RawRepresentable, Equatable, Hashable, Sendable {
        /// The number in signed values.
        public let rawValue: Int

        /// A reason with a number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The customer has turned the renewal off.
        public static let autoRenewDisabled = Product.SubscriptionInfo.RenewalInfo.ExpirationReason(rawValue: 1)
        /// The charge failed.
        public static let billingError = Product.SubscriptionInfo.RenewalInfo.ExpirationReason(rawValue: 2)
        /// The customer didn't agree to a higher price.
        public static let didNotConsentToPriceIncrease =
            Product.SubscriptionInfo.RenewalInfo.ExpirationReason(rawValue: 3)
        /// The product wasn't sold any more.
        public static let productUnavailable = Product.SubscriptionInfo.RenewalInfo.ExpirationReason(rawValue: 4)
        /// Another reason.
        public static let unknown = Product.SubscriptionInfo.RenewalInfo.ExpirationReason(rawValue: 5)

        /// The name for a customer, in English.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, *)
        public var localizedDescription: String {
            switch self {
            case .autoRenewDisabled: "Auto-Renew Disabled"
            case .billingError: "Billing Error"
            case .didNotConsentToPriceIncrease: "Did Not Consent To Price Increase"
            case .productUnavailable: "Product Unavailable"
            default: "Unknown"
            }
        }
    }

    /// Whether the customer has agreed to a higher price.
    @frozen public enum PriceIncreaseStatus: Equatable, Hashable, Sendable {
        /// The price stays.
        case noIncreasePending
        /// The customer hasn't answered.
        case pending
        /// The customer has agreed, or needn't.
        case agreed

        /// The name for a customer, in English.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, *)
        public var localizedDescription: String {
            switch self {
            case .noIncreasePending: "No Increase Pending"
            case .pending: "Pending"
            case .agreed: "Agreed"
            }
        }
    }

    /// The kind of the next period's offer.
    @available(iOS, deprecated: 18.0)
    @available(macOS, deprecated: 15.0)
    @available(tvOS, deprecated: 18.0)
    @available(watchOS, deprecated: 11.0)
    @available(visionOS, deprecated: 2.0)
    public var offerType: Transaction.OfferType? {
        payload.offerType.map { Transaction.OfferType(rawValue: Int($0)) }
    }

    /// The identifier of the next period's offer.
    @available(iOS, deprecated: 18.0)
    @available(macOS, deprecated: 15.0)
    @available(tvOS, deprecated: 18.0)
    @available(watchOS, deprecated: 11.0)
    @available(visionOS, deprecated: 2.0)
    public var offerID: String? { payload.offerIdentifier }

    /// The time of the payment of the next period's offer.
    @available(iOS, deprecated: 18.0)
    @available(macOS, deprecated: 15.0)
    @available(tvOS, deprecated: 18.0)
    @available(watchOS, deprecated: 11.0)
    @available(visionOS, deprecated: 2.0)
    public var offerPaymentModeStringRepresentation: String? { payload.offerDiscountType }

    /// The length of the next period's offer in ISO 8601.
    @available(iOS, deprecated: 18.4)
    @available(macOS, deprecated: 15.4)
    @available(tvOS, deprecated: 18.4)
    @available(watchOS, deprecated: 11.4)
    @available(visionOS, deprecated: 2.4)
    public var offerPeriodStringRepresentation: String? { payload.offerPeriod }

    /// The environment of the store.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    public var environmentStringRepresentation: String { payload.environment?.rawValue ?? "" }

    /// The currency of the price, ISO 4217.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    public var currencyCode: String? { payload.currency }
}

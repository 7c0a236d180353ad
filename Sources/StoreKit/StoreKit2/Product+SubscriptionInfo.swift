// SPDX-License-Identifier: Apache-2.0

import StoreAPI

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// The properties of a subscription that renews automatically.
    public struct SubscriptionInfo: Equatable, Hashable, Sendable {
        /// The offer for new subscribers, also for a customer who has had one;
        /// `nil` when there is none.
        public let introductoryOffer: Product.SubscriptionOffer?
        /// The offers for customers whom the seller chooses.
        public let promotionalOffers: [Product.SubscriptionOffer]
        /// The offers for former subscribers. Those that this customer may use
        /// are ``RenewalInfo/eligibleWinBackOfferIDs``.
        @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
        public let winBackOffers: [Product.SubscriptionOffer]
        /// The group, of which a customer has one subscription at a time.
        public let subscriptionGroupID: String
        /// The length of a period.
        public let subscriptionPeriod: Product.SubscriptionPeriod

        private let level: Int
        private let groupName: String

        /// The service level in the group; 1 is the highest.
        @available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, *)
        public var groupLevel: Int { level }

        /// The title of the group in the best of the customer's languages; empty
        /// if the store doesn't send one.
        @available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, *)
        public var groupDisplayName: String { groupName }

        /// `nil` for another product, and for a period that this version
        /// doesn't know.
        init?(_ info: ProductInfo) {
            guard let group = info.subscriptionGroupIdentifier,
                let period = info.subscriptionPeriod.flatMap({ SubscriptionPeriod(iso8601: $0) })
            else { return nil }
            let prices = PriceText(info)
            let offers = (info.offers ?? []).compactMap { SubscriptionOffer($0, prices: prices) }
            introductoryOffer = offers.first { $0.type == .introductory }
            promotionalOffers = offers.filter { $0.type == .promotional }
            winBackOffers = offers.filter { $0.type == .winBack }
            subscriptionGroupID = group
            subscriptionPeriod = period
            level = info.subscriptionGroupLevel ?? 0
            groupName = info.subscriptionGroupName ?? ""
        }
    }
}

/// The properties of a subscription.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public typealias SubscriptionInfo = Product.SubscriptionInfo
/// A length of time.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public typealias SubscriptionPeriod = Product.SubscriptionPeriod
/// The renewal of a subscription.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo
/// The state of a subscription.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState
/// A customer's subscription.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status

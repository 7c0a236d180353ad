// SPDX-License-Identifier: Apache-2.0

/// A product that an app sells.
package struct Product: Hashable, Sendable {
    /// The four kinds of In-App Purchase, in Apple's words.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let consumable = Kind(rawValue: "Consumable")
        package static let nonConsumable = Kind(rawValue: "Non-Consumable")
        package static let nonRenewing = Kind(rawValue: "Non-Renewing Subscription")
        package static let autoRenewable = Kind(rawValue: "Auto-Renewable Subscription")

        /// Whether an account can own it only once, and can restore it.
        package var isOwnedOnce: Bool { self == .nonConsumable }
        /// Whether each device that received a transaction finishes it for
        /// itself: every device of a subscriber receives a renewal. A finish
        /// of any other transaction counts for all devices.
        package var isFinishedOnEachDevice: Bool { self == .autoRenewable }
        /// Whether one device at a time has its unfinished transaction,
        /// because two would deliver it twice. No device can restore it.
        package var hasOneHolder: Bool { self == .consumable || self == .nonRenewing }
        /// Whether it leaves the receipt once its transaction is finished
        /// ("Persisting Using the App Receipt" of the programming guide).
        package var leavesTheReceipt: Bool { self == .consumable }
    }

    /// The place of an auto-renewable subscription in its group, and the
    /// length of its period.
    package struct Plan: Hashable, Sendable {
        package var group: SubscriptionGroupIdentifier
        /// The service level: 1 is the highest. Several products of a group
        /// may have the same.
        package var level: Int
        package var period: SubscriptionPeriod

        package init(group: SubscriptionGroupIdentifier, level: Int, period: SubscriptionPeriod) {
            self.group = group
            self.level = level
            self.period = period
        }
    }

    /// Title and description in one language.
    package struct Localization: Hashable, Sendable {
        /// The most languages of a product: as many as the App Store has.
        package static let limit = 50

        /// Such as `en_US` or `zh_Hans`.
        package var locale: String
        package var title: String
        package var description: String

        package init(locale: String, title: String, description: String) {
            self.locale = locale
            self.title = title
            self.description = description
        }
    }

    package var bundleIdentifier: BundleIdentifier
    package var productIdentifier: ProductIdentifier
    package var kind: Kind
    /// The seller's own name for it, which is the title when there are no
    /// localizations.
    package var referenceName: String
    /// Whether the seller shares it with the customer's family.
    package var isFamilyShareable: Bool
    /// Whether it is sold at all; `exclusions` has the storefronts in which
    /// it isn't.
    package var isForSale: Bool
    /// Whether the store doesn't sell it yet: production sells
    /// products that the operator has approved. It is read with the product, and
    /// not saved with it.
    package var isWithheld = false
    /// Whether its seller has no contract in force with the operator of
    /// production, so that it is sold where it is free only. It is read with
    /// the product, and not saved with it.
    package var lacksContract = false
    /// Whether it is the product of an item that isn't sold yet: no version of
    /// the app is released, or its first day hasn't come.
    var isHeld = false
    /// The base price in thousandths, from which ``pricing`` makes the price of each storefront that has none in `prices`.
    package var milliunits: Int64
    package var pricing = Pricing.sameNumber
    /// Prices of single storefronts, by country code, in thousandths.
    package var prices: [String: Int64]
    /// The titles and descriptions by locale; empty when the seller has
    /// provided none.
    package var localizations: [Localization]
    /// Storefronts in which it isn't sold, by country code.
    package var exclusions: Set<String> = []
    /// The plan of an auto-renewable subscription; `nil` for every other kind.
    package var plan: Plan?
    /// The length by which the first period is longer for a customer who
    /// shares name, e-mail address and postcode with the seller; `nil` when
    /// the subscription doesn't offer it.
    package var contactBonus: SubscriptionPeriod?
    /// The offers of an auto-renewable subscription, each kind in the seller's
    /// order. Every other product has those of codes only.
    package var offers: [Offer] = []

    package init(
        bundleIdentifier: BundleIdentifier, productIdentifier: ProductIdentifier, kind: Kind, referenceName: String,
        isFamilyShareable: Bool = false, isForSale: Bool = true, milliunits: Int64, prices: [String: Int64] = [:],
        localizations: [Localization]
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.productIdentifier = productIdentifier
        self.kind = kind
        self.referenceName = referenceName
        self.isFamilyShareable = isFamilyShareable
        self.isForSale = isForSale
        self.milliunits = milliunits
        self.prices = prices
        self.localizations = localizations
    }

    /// Whether it is sold in any storefront now.
    var isOffered: Bool { isForSale && !isWithheld && !isHeld }

    /// Whether customers of a storefront can buy it.
    package func isSold(in storefront: Storefront) -> Bool {
        isOffered && !exclusions.contains(storefront.countryCode)
            && !isWithoutContract(in: storefront)
    }

    /// Whether it, or one of its offers, costs money in one of the storefronts.
    package var costsMoney: Bool {
        milliunits > 0 || prices.values.contains { $0 > 0 } || offers.contains(where: \.costsMoney)
    }

    /// Whether it, or one of its offers, costs money in a storefront, and its
    /// seller has no contract in force.
    package func isWithoutContract(in storefront: Storefront) -> Bool {
        guard lacksContract else { return false }
        return price(in: storefront).milliunits > 0
            || offers.contains { $0.mode != .free && price(of: $0, in: storefront).milliunits > 0 }
    }

    /// The price of one unit in a storefront.
    package func price(in storefront: Storefront) -> Money {
        Self.price(milliunits, prices, pricing, in: storefront)
    }

    /// The price of a period of one of its offers in a storefront, or of one unit with a code.
    package func price(of offer: Offer, in storefront: Storefront) -> Money {
        Self.price(offer.milliunits, offer.prices, pricing, in: storefront)
    }

    /// The amount in a storefront that corresponds to a base price.
    static func price(
        _ base: Int64, _ prices: [String: Int64], _ pricing: Pricing, in storefront: Storefront
    ) -> Money {
        prices[storefront.countryCode].map { Money(milliunits: $0, currency: storefront.currency).rounded }
            ?? pricing.price(of: base, in: storefront.currency)
    }

    /// The title and description in the language that the customer prefers.
    package func localization(for languages: LanguagePreference) -> Localization {
        languages.best(of: localizations)
            ?? Localization(locale: "en_US", title: referenceName, description: "")
    }
}

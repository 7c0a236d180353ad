// SPDX-License-Identifier: Apache-2.0

/// The keys of Xcode's files that the store reads, or that mean nothing
/// outside of the file.
enum ConfigurationKeys {
    static let products = "products"
    static let nonRenewing = "nonRenewingSubscriptions"
    static let groups = "subscriptionGroups"
    /// The setting of the grace period, among `settings`.
    static let gracePeriod = "_billingGracePeriodEnabled"
    /// The values of a product that Xcode has no keys for: `prices` by
    /// country, `pricing` (``Pricing/name``), the countries of `notSoldIn`, and `sharesContact` with the
    /// `bonus` for a contact.
    static let storeTerms = "_openStoreKit"

    /// The key with which Xcode's promotional offers are signed.
    static let keyPair = "subscriptionOffersKeyPair"

    static let ofFiles: Set<String> = ["identifier", nonRenewing, products, groups, "version", keyPair]
    static let ofProducts: Set<String> = [
        storeTerms, "displayPrice", "familyShareable", "internalID", "localizations", "productID", "referenceName",
        "type",
    ]
    /// The further keys of an auto-renewable subscription.
    static let ofPlans: Set<String> = ["groupNumber", "recurringSubscriptionPeriod", "subscriptionGroupID"]
    static let introductoryOffer = "introductoryOffer"
    static let introductoryOffers = "introductoryOffers"
    /// The offers of an auto-renewable subscription that the store makes.
    static let ofOffers: Set<String> = [
        introductoryOffer, introductoryOffers, promotionalOffers, codeOffers, winBackOffers,
    ]
    static let promotionalOffers = "adHocOffers"
    static let codeOffers = "codeOffers"
    static let winBackOffers = "winbackOffers"
    static let ofGroups: Set<String> = ["id", "localizations", "name", "subscriptions"]
}

// SPDX-License-Identifier: Apache-2.0

/// A higher price of a subscription of which its subscriber was informed, and that no
/// period has been paid at.
package struct PendingPriceIncrease: Hashable, Sendable {
    package var original: OriginalTransactionIdentifier
    package var bundleIdentifier: BundleIdentifier
    /// The current product, with its texts.
    package var product: Product
    /// The storefront of the prices.
    package var storefront: Storefront
    /// The regular price of a period before the increase.
    package var oldPrice: Money
    /// The price of a period after it, which is no higher than the
    /// catalogue's now.
    package var newPrice: Money
    /// The start of the first period at the new price.
    package var applies: StoreTime
    /// Whether the subscription ends unless the subscriber agrees.
    package var needsConsent: Bool
    package var isAgreed: Bool
    /// Whether the subscriber's answer is needed and wasn't given.
    package var isUndecided: Bool { needsConsent && !isAgreed }
    /// The name of the increase: the same as long as the customer has to be
    /// asked no more than once about it.
    package var name: String

    /// Makes the value of a subscription; `nil` when no increase waits, or
    /// when the customer has refused it.
    init?(_ subscription: Subscription, _ state: SubscriptionState, _ product: Product, at moment: StoreTime) {
        guard let increase = state.priceIncrease, state.expired == nil, !state.isRevoked,
            state.turnedOff != .priceIncrease, !(state.lacksConsent && moment >= state.end),
            let storefront = Storefront.named(increase.storefront), let applies = state.firstIncreasedPeriod
        else { return nil }
        original = subscription.original
        bundleIdentifier = subscription.bundleIdentifier
        self.product = product
        self.storefront = storefront
        oldPrice = state.period.regularPrice
        newPrice = state.increasedPrice(of: product) ?? increase.price
        self.applies = applies
        needsConsent = increase.needsConsent
        isAgreed = increase.isAgreed
        name = "\(subscription.original) \(increase.change?.rawValue ?? "\(increase.applies.milliseconds)")"
    }
}

extension SubscriptionState {
    /// The price of a period after the increase that waits, which is no higher
    /// than the catalogue's now; `nil` without an increase.
    func increasedPrice(of product: Product) -> Money? {
        guard let increase = priceIncrease, let storefront = Storefront.named(increase.storefront) else { return nil }
        var price = increase.price
        price.milliunits = max(
            period.regularPrice.milliunits, min(price.milliunits, product.price(in: storefront).milliunits))
        return price
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A higher price of a subscription, of which its subscriber was informed.
package struct PriceIncrease: Hashable, Sendable {
    /// The change of the product's price; `nil` when a test of the sandbox
    /// asks for consent.
    package var change: PriceChangeIdentifier?
    /// The price of a period. The subscriber never pays more than the
    /// catalogue asks when the period begins.
    package var price: Money
    /// The country code of the storefront in whose currency the price is.
    package var storefront: String
    /// Whether the subscription ends unless the subscriber agrees.
    package var needsConsent: Bool
    /// The first period of the regular price that begins at this moment or
    /// later is the first one of the new price.
    package var applies: StoreTime
    /// Whether the subscriber has agreed.
    package var isAgreed = false

    /// Whether an answer is needed and wasn't given.
    package var isUndecided: Bool { needsConsent && !isAgreed }
}

extension SubscriptionState {
    /// The increase that the next period has to pay; `nil` when there is none,
    /// or when it applies later, or when the next period has another product
    /// or an offer.
    var duePriceIncrease: PriceIncrease? {
        guard let priceIncrease, priceIncrease.applies <= end, nextProduct == period.product, nextOffer == nil
        else { return nil }
        return priceIncrease
    }

    /// Whether the next period can't begin because the subscriber hasn't
    /// agreed to its price.
    package var lacksConsent: Bool { duePriceIncrease?.isUndecided ?? false }

    /// Whether a higher price waits that the subscriber hasn't agreed to, for
    /// the next period or a later one.
    var awaitsConsent: Bool { priceIncrease?.isUndecided ?? false }

    /// The regular price of the next period of the current product, as the
    /// subscriber has confirmed it or was informed of it.
    var confirmedPrice: Money {
        var price = period.regularPrice
        if let increase = duePriceIncrease, !increase.isUndecided, increase.price.currency == price.currency {
            price.milliunits = max(price.milliunits, increase.price.milliunits)
        }
        return price
    }

    /// The increase that still waits after the next period has begun with a
    /// product in a storefront; `nil` when that period pays it.
    func carriedPriceIncrease(to product: ProductIdentifier, in storefront: String) -> PriceIncrease? {
        guard let priceIncrease, duePriceIncrease == nil, product == period.product,
            storefront == priceIncrease.storefront
        else { return nil }
        return priceIncrease
    }

    /// The start of the first period at the new price if the current product
    /// goes on; `nil` without an increase.
    package var firstIncreasedPeriod: StoreTime? { firstIncreasedPeriod(after: nextOffer) }

    /// The same if the periods of an offer come first.
    func firstIncreasedPeriod(after offer: AppliedOffer?) -> StoreTime? {
        guard let priceIncrease else { return nil }
        var (start, offer) = (end, offer)
        var anchor = end == period.end ? period.anchor : BillingAnchor(at: end)
        // The notice is shorter than ten weeks, and an offer has few periods.
        for _ in 0..<100 where start < priceIncrease.applies || offer != nil {
            anchor = anchor.advanced(by: offer?.length ?? period.plan.period, at: period.speed)
            start = anchor.periodStart
            offer = offer?.next
        }
        return start
    }
}

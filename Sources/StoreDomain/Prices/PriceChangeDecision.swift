// SPDX-License-Identifier: Apache-2.0

/// The consequence of a product's new price for one of its subscribers. It is
/// made from values alone; ``ApplyingPriceChanges`` loads them and saves the
/// decision.
enum PriceChangeDecision: Hashable, Sendable {
    /// The price doesn't concern the subscriber.
    case nothing
    /// The subscriber is informed of the increase.
    case tell(PriceIncrease)
    /// The increase of which the subscriber was informed before has ended: the
    /// price is no higher than the subscriber's.
    case end

    /// Decides about a subscription at a moment of its account's time.
    ///
    /// The price is that of the catalogue if it has fallen since. An increase
    /// of which the subscriber was informed before stays if it isn't lower: the
    /// subscriber never pays more than the catalogue asks.
    static func deciding(
        _ change: PriceChange, of product: Product, for subscription: Subscription, in storefront: Storefront,
        speed: RenewalSpeed, at moment: StoreTime
    ) -> PriceChangeDecision {
        guard let state = subscription.newestState, state.expired == nil, !state.isRevoked,
            change.sets(product, in: storefront), state.period.product == product.productIdentifier,
            state.period.storefront == storefront.countryCode
        else { return .nothing }
        let asked = product.price(in: storefront)
        let announced = change.price(of: product, in: storefront)
        let (paid, target) = (state.period.regularPrice, min(announced.milliunits, asked.milliunits))
        guard paid.currency == asked.currency else { return .nothing }
        guard asked.milliunits > paid.milliunits else { return state.priceIncrease?.change == nil ? .nothing : .end }
        if let known = state.priceIncrease, known.price.milliunits >= target { return .nothing }
        guard change.subscribers == .change, target > paid.milliunits else { return .nothing }
        let notice = speed.noticeEnd(after: moment, period: state.period.plan.period)
        return .tell(
            PriceIncrease(
                change: change.identifier, price: Money(milliunits: target, currency: asked.currency),
                storefront: storefront.countryCode,
                needsConsent: !subscription.isPaidBySubscriber
                    || change.needsConsent(from: paid, to: announced, of: product),
                applies: state.application(after: notice, isPaying: subscription.payment != nil)))
    }
}

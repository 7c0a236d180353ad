// SPDX-License-Identifier: Apache-2.0

/// The product, the plan and the price of a subscription's next period.
struct RenewalTerms: Hashable, Sendable {
    var product: ProductIdentifier
    var plan: Product.Plan
    /// The price of the period, with its offer if there is one.
    var price: Money
    /// The offer of the period; `nil` for the regular price.
    var offer: AppliedOffer?

    /// Decides about the next period of a subscription.
    ///
    /// A subscriber keeps a product that isn't sold any more, with its plan,
    /// and its price when it has risen, unless the subscriber was informed of the
    /// increase and, if that is needed, has agreed. A product that the subscriber has
    /// chosen meanwhile has the plan and the price of the catalogue, unless it
    /// isn't sold any more: then the current product goes on. An offer whose
    /// periods aren't over, or that the subscriber has chosen, applies as the
    /// subscriber has confirmed it, in the storefront of that time. The terms
    /// are `nil` when the subscription can't go on, because the product isn't sold
    /// in the storefront.
    ///
    /// - Parameters:
    ///   - state: The subscription's state at the end of the current period.
    ///   - products: The current product and the chosen one, as far as the
    ///     catalogue has them.
    ///   - storefront: The account's storefront.
    init?(after state: SubscriptionState, _ products: [Product], in storefront: Storefront) {
        let current = products.first { $0.productIdentifier == state.period.product }
        let chosen = products.first { $0.productIdentifier == state.nextProduct }
        if state.nextProduct != state.period.product, let chosen, let plan = chosen.plan,
            plan.group == state.period.plan.group, chosen.isSold(in: storefront)
        {
            let price = chosen.price(in: storefront)
            self.init(
                product: chosen.productIdentifier, plan: plan,
                price: state.chosenPrice?.lowering(price, in: storefront) ?? price)
            apply(state.nextOffer, in: storefront)
            return
        }
        guard let current, !current.exclusions.contains(storefront.countryCode) else { return nil }
        var price = current.price(in: storefront)
        if state.period.storefront == storefront.countryCode, state.period.price.currency == price.currency {
            price.milliunits = min(price.milliunits, state.confirmedPrice.milliunits)
        }
        self.init(product: current.productIdentifier, plan: state.period.plan, price: price)
        apply(state.upcomingOffer(for: product), in: storefront)
    }

    /// Applies an offer as it was confirmed. The customer pays no more than
    /// the subscription costs meanwhile, and afterwards no more than it has
    /// cost then.
    private mutating func apply(_ offer: AppliedOffer?, in storefront: Storefront) {
        guard var offer, offer.storefront == storefront.countryCode, offer.price.currency == price.currency
        else { return }
        offer.regularPrice.milliunits = min(offer.regularPrice.milliunits, price.milliunits)
        if offer.mode == .payAsYouGo { offer.price.milliunits = min(offer.price.milliunits, price.milliunits) }
        price = offer.price
        self.offer = offer
    }

    init(product: ProductIdentifier, plan: Product.Plan, price: Money) {
        self.product = product
        self.plan = plan
        self.price = price
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The product, the plan and the price of a subscription's next period.
struct RenewalTerms: Hashable, Sendable {
    var product: ProductIdentifier
    var plan: Product.Plan
    var price: Money

    /// Decides about the next period of a subscription.
    ///
    /// A subscriber keeps a product that isn't sold any more, with its plan,
    /// and its price when it has risen. A product that the subscriber has
    /// chosen meanwhile has the plan and the price of the catalogue, unless it
    /// isn't sold any more: then the current product goes on. The terms are
    /// `nil` when the subscription can't go on, because the product isn't sold
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
            self.init(product: chosen.productIdentifier, plan: plan, price: chosen.price(in: storefront))
            return
        }
        guard let current, !current.exclusions.contains(storefront.countryCode) else { return nil }
        var price = current.price(in: storefront)
        if state.period.storefront == storefront.countryCode, state.period.price.currency == price.currency {
            price.milliunits = min(price.milliunits, state.period.price.milliunits)
        }
        self.init(product: current.productIdentifier, plan: state.period.plan, price: price)
    }

    init(product: ProductIdentifier, plan: Product.Plan, price: Money) {
        self.product = product
        self.plan = plan
        self.price = price
    }
}

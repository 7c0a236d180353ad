// SPDX-License-Identifier: Apache-2.0

/// A subscription as its customer manages it: with its product, the next
/// period and the products to which it can change.
package struct ManagedSubscription: Sendable {
    package var subscription: Subscription
    package var state: SubscriptionState
    /// The account's time.
    package var now: StoreTime
    package var app: App
    /// The storefront of the account.
    package var storefront: Storefront
    /// The product of the newest period; `nil` when the catalogue has none
    /// any more.
    package var product: Product?
    /// The product and the price of the next period; `nil` when there is
    /// none, because the renewal is off or the product isn't sold any more.
    package var renewal: Renewal?
    /// The higher price that waits; `nil` without one.
    package var priceIncrease: PendingPriceIncrease?
    /// The products of the group that can be chosen or bought now, the
    /// highest level first.
    package var choices: [Choice]
    /// The product of the next period if its renewal is on, with the terms on
    /// which it is turned on; `nil` when there is none.
    package var next: Choice?

    /// The product of the next period, with its price.
    package struct Renewal: Sendable {
        package var product: Product
        package var price: Money
    }

    /// A product of the group, with the consequence of choosing it.
    package struct Choice: Sendable {
        package var product: Product
        package var terms: SubscriptionTerms
    }

    package var status: SubscriptionState.Status { state.status(at: now) }

    /// Whether the renewal can be turned off.
    package var canTurnOff: Bool { state.renews && state.expired == nil && !state.isRevoked }

    /// Whether the customer can agree to a higher price, or refuse it.
    package var asksForConsent: Bool {
        guard let priceIncrease else { return false }
        return priceIncrease.needsConsent && !priceIncrease.isAgreed && state.renews
    }

    /// Whether the subscriber can share it with the family, or end that.
    package var isShareable: Bool { product?.isFamilyShareable == true && status == .active }

    /// Whether the renewal can be turned on.
    package var canTurnOn: Bool { !state.renews && state.expired == nil && status == .active }

    init(
        _ subscription: Subscription, _ state: SubscriptionState, of account: Account, in app: App,
        products: [Product], at now: StoreTime
    ) {
        self.subscription = subscription
        self.state = state
        self.now = now
        self.app = app
        storefront = account.storefront
        product = products.first { $0.productIdentifier == state.period.product }
        let terms = RenewalTerms(after: state, products, in: account.storefront)
        renewal = terms.flatMap { terms in
            products.first { $0.productIdentifier == terms.product }.map { Renewal(product: $0, price: terms.price) }
        }
        if !state.renews || state.expired != nil || state.isRevoked || state.lacksConsent { renewal = nil }
        priceIncrease = product.flatMap { PendingPriceIncrease(subscription, state, $0, at: now) }
        let all: [Choice] =
            state.status(at: now) != .active
            ? []
            : products.compactMap { product in
                product.plan.map {
                    Choice(product: product, terms: SubscriptionTerms(product, $0, state, chosenBy: account, at: now))
                }
            }
        next = all.first { $0.product.productIdentifier == terms?.product }
        // The other products that are sold, and the current one when another is
        // chosen for the next period.
        choices = all.filter {
            $0.product.plan?.group == state.period.plan.group && $0.product.productIdentifier != state.nextProduct
                && $0.product.isSold(in: account.storefront)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension ServedRenewal {
    /// Reads the win-back offers by which a former subscriber may come back.
    mutating func setWinBackOffers(
        of subscription: Subscription, _ state: SubscriptionState, after events: [SubscriptionEvent],
        at moment: StoreTime, _ db: StoreTransaction
    ) throws {
        guard purchase.share == nil, state.status(at: moment) == .expired,
            let storefront = Storefront.named(state.period.storefront),
            let product = try Catalogue.product(state.period.product, of: subscription.bundleIdentifier, db),
            let plan = product.plan, product.isSold(in: storefront)
        else { return }
        let last = try OfferUse.last(
            .winBack, of: plan.group, by: subscription.account, bundleIdentifier: subscription.bundleIdentifier, db)
        winBackOffers = WinBackHistory(state: state, events: events, lastOffer: last)
            .offers(of: product, at: moment).map(\.identifier)
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension SubscriptionTerms {
    /// Loads the terms of a product for an account; `nil` for a product that
    /// isn't an auto-renewable subscription.
    static func find(_ product: Product, for account: Account, _ db: StoreTransaction) throws -> SubscriptionTerms? {
        guard let plan = product.plan else { return nil }
        let subscription = try Subscription.find(
            group: plan.group, of: account.identifier, bundleIdentifier: product.bundleIdentifier, db)
        var terms = SubscriptionTerms(
            product, plan, subscription?.newestState, in: account.storefront, speed: account.clock.speed,
            at: account.time(at: db.now))
        if let bonus = product.contactBonus, terms.change == .subscribe,
            try !SharedContact.exists(of: account.identifier, bundleIdentifier: product.bundleIdentifier, db)
        {
            terms.contactBonus = bonus
        }
        return terms
    }

    /// Loads the terms that a sheet shows, with the sum that is given back.
    /// Without an account they are those of a first purchase.
    static func shown(
        _ product: Product, to account: Account?, in storefront: Storefront, _ db: StoreTransaction
    ) throws -> SubscriptionTerms? {
        guard let account else {
            guard let plan = product.plan else { return nil }
            let clock = AccountClock()
            var terms = SubscriptionTerms(
                product, plan, nil, in: storefront, speed: clock.speed, at: clock.time(at: db.now))
            terms.contactBonus = product.contactBonus
            return terms
        }
        guard var terms = try find(product, for: account, db) else { return nil }
        if terms.change == .upgrade, let state = terms.state,
            let upgraded = try Purchase.find(state.period.transaction, of: account.identifier, db)
        {
            let unused = state.period.unusedPrice(at: terms.moment, end: state.end)
            terms.givenBack = try RefundingPurchase.proration(of: upgraded, to: unused, db)?.amount
        }
        return terms
    }
}

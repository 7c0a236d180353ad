// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension RenewalTerms {
    /// Loads the terms of a next period in the storefront in which it was paid.
    static func find(
        after state: SubscriptionState, of subscription: Subscription, paidBy payment: Payment, _ db: StoreTransaction
    ) throws -> RenewalTerms? {
        let storefront = Storefront.named(payment.storefront) ?? .unitedStates
        return try find(after: state, of: subscription, in: storefront, db)
    }

    /// Loads the terms of a subscription's next period; `nil` when it can't go
    /// on.
    static func find(
        after state: SubscriptionState, of subscription: Subscription, in storefront: Storefront,
        _ db: StoreTransaction
    ) throws -> RenewalTerms? {
        let names = Set([state.period.product, state.nextProduct])
        let products = try names.compactMap { try Catalogue.product($0, of: subscription.bundleIdentifier, db) }
        return RenewalTerms(after: state, products, in: storefront)
    }
}

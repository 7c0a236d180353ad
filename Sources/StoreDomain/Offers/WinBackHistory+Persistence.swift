// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension WinBackHistory {
    /// Loads the history of an account in a product's group.
    static func find(
        _ plan: Product.Plan, of account: AccountIdentifier, in bundleIdentifier: BundleIdentifier,
        _ db: StoreTransaction
    ) throws -> WinBackHistory {
        let subscription = try Subscription.find(
            group: plan.group, of: account, bundleIdentifier: bundleIdentifier, db)
        return WinBackHistory(
            state: subscription?.newestState, events: try subscription?.history(db) ?? [],
            lastOffer: try OfferUse.last(
                .winBack, of: plan.group, by: account, bundleIdentifier: bundleIdentifier, db))
    }
}

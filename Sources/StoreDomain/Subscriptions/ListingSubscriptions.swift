// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists the subscriptions of an account.
package struct ListingSubscriptions: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A subscription with its state at the account's time.
    package struct Listed: Sendable {
        package var subscription: Subscription
        package var state: SubscriptionState
        package var now: StoreTime
    }

    /// The subscriptions of an account that have begun, of one app or of all.
    package func callAsFunction(
        of account: AccountIdentifier, bundleIdentifier: BundleIdentifier? = nil
    ) async throws -> [Listed] {
        try await read { db in
            let now = try AccountClock.of(account, db).time(at: db.now)
            return try Subscription.all(of: account, bundleIdentifier: bundleIdentifier, db).compactMap {
                subscription in
                subscription.newestState.map { Listed(subscription: subscription, state: $0, now: now) }
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Turns the renewal of a subscription on or off.
package struct SettingRenewal: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Turns the renewal on or off; repeating it changes nothing. Turning it
    /// off while the store retries a charge ends the subscription immediately. One
    /// that has ended has to be bought again.
    ///
    /// - Returns: The subscription after the change.
    /// - Throws: ``DomainError``: `notFound`; `decided` for turning on one that
    ///   has ended.
    @discardableResult
    package func callAsFunction(
        _ renews: Bool, of original: OriginalTransactionIdentifier, account: AccountIdentifier
    ) async throws -> Subscription {
        try await write(for: account) { db in
            guard var subscription = try Subscription.find(original, of: account, db),
                let before = subscription.newestState
            else { throw DomainError(.notFound, "There is no subscription with the number \(original).") }
            let clock = try AccountClock.of(account, db)
            let moment = clock.time(at: db.now)
            if renews, !before.renews, moment >= before.end || before.expired != nil || before.isRevoked {
                throw DomainError(.decided, "The subscription has ended: it can be bought again.")
            }
            subscription.setRenewal(renews, at: moment, agreeingTo: try subscription.increasedPrice(db))
            if !renews { try Subscription.release(before.authorised, of: account, db) }
            try subscription.save(clock, db)
            return subscription
        }
    }
}

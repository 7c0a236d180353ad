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
    /// that has ended has to be bought again. It isn't turned on on other terms
    /// than those that were `shown`, if they are given.
    ///
    /// - Returns: The request that waits for a parent of a child, whose renewal
    ///   is still off; `nil` after the change.
    /// - Throws: ``DomainError``: `notFound`; `decided` for turning on one that
    ///   has ended; `priceChanged`.
    @discardableResult
    package func callAsFunction(
        _ renews: Bool, of original: OriginalTransactionIdentifier, account: AccountIdentifier,
        shown: AgreedTerms? = nil
    ) async throws -> DeviceRequest? {
        let asking = AskingParents(context, of: account)
        return try await write(for: account) { db in
            guard var subscription = try Subscription.find(original, of: account, db),
                let before = subscription.newestState
            else { throw DomainError(.notFound, "There is no subscription with the number \(original).") }
            let clock = try AccountClock.of(account, db)
            let moment = clock.time(at: db.now)
            if renews, !before.renews, moment >= before.end || before.expired != nil || before.isRevoked {
                throw DomainError(.decided, "The subscription has ended: it can be bought again.")
            }
            if renews, !before.renews,
                let asked = try Self.ask(asking, for: before, of: &subscription, at: moment, shown, db)
            {
                return asked
            }
            subscription.setRenewal(renews, at: moment, agreeingTo: try subscription.increasedPrice(db))
            if !renews { try Subscription.release(before.authorised, of: account, db) }
            try subscription.save(clock, db)
            return nil
        }
    }

    /// Compares the terms of the next period with those that were shown, and
    /// asks a child's parents.
    private static func ask(
        _ asking: AskingParents, for state: SubscriptionState, of subscription: inout Subscription,
        at moment: StoreTime,
        _ shown: AgreedTerms?, _ db: StoreTransaction
    ) throws -> DeviceRequest? {
        guard let account = try Account.findOpen(subscription.account, db) else { return nil }
        guard let next = try RenewalTerms.find(after: state, of: subscription, in: account.storefront, db)?.product,
            let product = try Catalogue.product(next, of: subscription.bundleIdentifier, db), let plan = product.plan
        else {
            // There are no terms that a parent could be asked for.
            guard !account.has(.asksToBuy) else { throw SubscriptionTerms.unsold(state.nextProduct) }
            return nil
        }
        let terms = SubscriptionTerms(product, plan, state, chosenBy: account, at: moment)
        try shown?.check(ShownTerms(terms))
        return try asking.ask(for: terms, of: product, account: account, &subscription, db)
    }
}

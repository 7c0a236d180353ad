// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// The customer's own page of subscriptions: lists them, and chooses the
/// product of a next period. ``SettingRenewal`` turns the renewal off and on.
package struct ManagingSubscriptions: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The subscriptions of an account that have begun, in order of their
    /// apps; empty for a closed account.
    package func callAsFunction(of account: AccountIdentifier) async throws -> [ManagedSubscription] {
        try await read { db in
            guard let account = try Account.findOpen(account, db) else { return [] }
            let now = account.time(at: db.now)
            return try Subscription.all(of: account.identifier, db).compactMap { subscription in
                guard let state = subscription.newestState else { return nil }
                return try Self.managed(subscription, state, of: account, at: now, db)
            }
        }
    }

    private static func managed(
        _ subscription: Subscription, _ state: SubscriptionState, of account: Account, at now: StoreTime,
        _ db: StoreTransaction
    ) throws -> ManagedSubscription {
        let bundle = subscription.bundleIdentifier
        var products = try Catalogue.products(inGroup: subscription.group, of: bundle, db)
        // A product may have moved to another group since it was bought.
        if !products.contains(where: { $0.productIdentifier == state.period.product }),
            let product = try Catalogue.product(state.period.product, of: bundle, db)
        {
            products.append(product)
        }
        let app = try Catalogue.app(bundle, db) ?? App(bundleIdentifier: bundle, name: App.name(of: bundle))
        return ManagedSubscription(subscription, state, of: account, in: app, products: products, at: now)
    }

    /// Chooses the product of a subscription's next period. No device receives
    /// a transaction, because nothing is bought. Nothing is chosen on other
    /// terms than those that were `shown`, if they are given.
    ///
    /// - Returns: The request that waits for a parent of a child, which hasn't
    ///   chosen yet; `nil` when the product is chosen.
    /// - Throws: ``DomainError``: `notFound`; `invalid` for a product that
    ///   would be charged now, which an app has to ask for, or that isn't sold
    ///   to the account; `priceChanged`.
    @discardableResult
    package func choose(
        _ product: ProductIdentifier, of original: OriginalTransactionIdentifier, account: AccountIdentifier,
        shown: AgreedTerms? = nil
    ) async throws -> DeviceRequest? {
        let asking = AskingParents(context, of: account)
        return try await write(for: account) { db in
            guard let account = try Account.findOpen(account, db),
                var subscription = try Subscription.find(original, of: account.identifier, db),
                let state = subscription.newestState
            else { throw DomainError(.notFound, "There is no subscription with the number \(original).") }
            guard let product = try Catalogue.product(product, of: subscription.bundleIdentifier, db),
                let plan = product.plan, plan.group == subscription.group
            else { throw DomainError(.notFound, "The subscription has no plan \"\(product)\".") }
            guard !account.has(.barred), product.isSold(in: account.storefront) else {
                throw SubscriptionTerms.unsold(product.productIdentifier)
            }
            let terms = SubscriptionTerms(product, plan, state, chosenBy: account, at: account.time(at: db.now))
            guard !terms.change.charges else {
                throw DomainError(
                    .invalid, "This plan is charged immediately: buy it in the app. Nothing was changed.",
                    reason: .planInApp)
            }
            try shown?.check(ShownTerms(terms))
            if let asked = try asking.ask(for: terms, of: product, account: account, &subscription, db) { return asked }
            try subscription.changePlan(to: product, of: account, db)
            return nil
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The customer's answers to higher prices of subscriptions.
package struct AnsweringPriceIncrease: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The increases of which the subscriber of an account was informed, in one app or
    /// in all, and that apply later. Those to which the subscriber has agreed
    /// are among them, those that were refused aren't.
    package func pending(
        of account: AccountIdentifier, in bundleIdentifier: BundleIdentifier? = nil
    ) async throws -> [PendingPriceIncrease] {
        try await read { db in try Self.pending(of: account, in: bundleIdentifier, db) }
    }

    static func pending(
        of account: AccountIdentifier, in bundleIdentifier: BundleIdentifier?, _ db: StoreTransaction
    ) throws -> [PendingPriceIncrease] {
        // Each event stream that opens asks this, mostly for an account that
        // has no subscription of the app.
        let all = try Subscription.all(of: account, bundleIdentifier: bundleIdentifier, db)
        guard !all.isEmpty, let account = try Account.findOpen(account, db) else { return [] }
        let moment = account.time(at: db.now)
        return try all.compactMap { subscription in
            guard let state = subscription.newestState, state.priceIncrease != nil,
                let product = try Catalogue.product(state.period.product, of: subscription.bundleIdentifier, db)
            else { return nil }
            return PendingPriceIncrease(subscription, state, product, at: moment)
        }
    }

    /// Agrees to the increase of a subscription; repeating it changes nothing.
    /// Nothing is agreed to but the terms that were `shown`, if they are given.
    /// Without them it also takes a refusal back; a page turns the renewal on
    /// (``SettingRenewal``).
    ///
    /// - Returns: The request that waits for a parent of a child, which hasn't
    ///   agreed yet; `nil` after an agreement.
    /// - Throws: ``DomainError``: `notFound` when no increase waits; `decided`
    ///   when the period has ended without an agreement; `priceChanged`.
    @discardableResult
    package func agree(
        _ original: OriginalTransactionIdentifier, account: AccountIdentifier, shown: AgreedTerms? = nil
    ) async throws -> DeviceRequest? {
        let asking = AskingParents(context, of: account)
        return try await write(for: account) { db in
            try Self.agree(original, account: account, shown: shown, asking, db)
        }
    }

    static func agree(
        _ original: OriginalTransactionIdentifier, account: AccountIdentifier, shown: AgreedTerms?,
        _ asking: AskingParents, _ db: StoreTransaction
    ) throws -> DeviceRequest? {
        try answer(original, of: account, db) { subscription, state, moment in
            guard moment < state.end || state.isInRetry || !state.lacksConsent && state.renews else {
                throw DomainError(.decided, "The subscription has ended: it can be bought again.")
            }
            let product = try Catalogue.product(state.period.product, of: subscription.bundleIdentifier, db)
            if let shown {
                let increase = product.flatMap { PendingPriceIncrease(subscription, state, $0, at: moment) }
                guard let increase else {
                    throw DomainError(.priceChanged, "The price has changed. The page shows the right one now.")
                }
                try shown.check(ShownTerms(increase))
            }
            if let account = try Account.findOpen(account, db) {
                if let product, let plan = product.plan {
                    let terms = SubscriptionTerms(product, plan, state, chosenBy: account, at: moment)
                    let asked = try asking.ask(for: terms, of: product, account: account, &subscription, db)
                    if let asked { return asked }
                } else if account.has(.asksToBuy) {
                    throw SubscriptionTerms.unsold(state.period.product)
                }
            }
            subscription.agreeToPriceIncrease(at: moment, to: product.flatMap(state.increasedPrice))
            return nil
        }
    }

    /// Refuses the increase of a subscription: its renewal is turned off, so
    /// that it ends with its period. Repeating it changes nothing, and a
    /// renewal that is off stays off.
    ///
    /// - Throws: ``DomainError``: `notFound` when no increase waits.
    package func decline(_ original: OriginalTransactionIdentifier, account: AccountIdentifier) async throws {
        _ = try await write(for: account) { db in
            try Self.answer(original, of: account, db) { subscription, state, moment in
                subscription.setRenewal(false, at: moment, because: .priceIncrease)
                try Subscription.release(state.authorised, of: account, db)
                return nil
            }
        }
    }

    /// Changes the subscription, unless `change` returns a request that has to
    /// be approved first.
    private static func answer(
        _ original: OriginalTransactionIdentifier, of account: AccountIdentifier, _ db: StoreTransaction,
        _ change: (inout Subscription, SubscriptionState, StoreTime) throws -> DeviceRequest?
    ) throws -> DeviceRequest? {
        guard var subscription = try Subscription.find(original, of: account, db), subscription.account == account,
            let state = subscription.newestState, state.priceIncrease != nil, state.expired == nil,
            !state.isRevoked
        else {
            throw DomainError(.notFound, "No higher price waits for the subscription with the number \(original).")
        }
        let clock = try AccountClock.of(account, db)
        if let asked = try change(&subscription, state, clock.time(at: db.now)) { return asked }
        try subscription.save(clock, db)
        return nil
    }
}

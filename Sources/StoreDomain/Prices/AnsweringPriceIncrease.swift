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
    /// It also takes a refusal back.
    ///
    /// - Throws: ``DomainError``: `notFound` when no increase waits; `decided`
    ///   when the period has ended without an agreement.
    package func agree(_ original: OriginalTransactionIdentifier, account: AccountIdentifier) async throws {
        try await write(for: account) { db in try Self.agree(original, account: account, db) }
    }

    static func agree(
        _ original: OriginalTransactionIdentifier, account: AccountIdentifier, _ db: StoreTransaction
    ) throws {
        try answer(original, of: account, db) { subscription, state, moment in
            guard moment < state.end || state.isInRetry || !state.lacksConsent && state.renews else {
                throw DomainError(.decided, "The subscription has ended: it can be bought again.")
            }
            subscription.agreeToPriceIncrease(at: moment, to: try subscription.increasedPrice(db))
        }
    }

    /// Refuses the increase of a subscription: its renewal is turned off, so
    /// that it ends with its period. Repeating it changes nothing, and a
    /// renewal that is off stays off.
    ///
    /// - Throws: ``DomainError``: `notFound` when no increase waits.
    package func decline(_ original: OriginalTransactionIdentifier, account: AccountIdentifier) async throws {
        try await write(for: account) { db in
            try Self.answer(original, of: account, db) { subscription, state, moment in
                subscription.setRenewal(false, at: moment, because: .priceIncrease)
                try Subscription.release(state.authorised, of: account, db)
            }
        }
    }

    private static func answer(
        _ original: OriginalTransactionIdentifier, of account: AccountIdentifier, _ db: StoreTransaction,
        _ change: (inout Subscription, SubscriptionState, StoreTime) throws -> Void
    ) throws {
        guard var subscription = try Subscription.find(original, of: account, db), subscription.account == account,
            let state = subscription.newestState, state.priceIncrease != nil, state.expired == nil,
            !state.isRevoked
        else {
            throw DomainError(.notFound, "No higher price waits for the subscription with the number \(original).")
        }
        let clock = try AccountClock.of(account, db)
        try change(&subscription, state, clock.time(at: db.now))
        try subscription.save(clock, db)
    }
}

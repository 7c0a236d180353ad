// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads the subscriptions of an account in an app for a seller's server.
package struct ReadingSubscriptionStatuses: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A subscription with its newest transaction.
    package struct Listed: Sendable {
        package var group: SubscriptionGroupIdentifier
        package var status: SubscriptionState.Status
        package var purchase: Purchase
        package var renewal: ServedRenewal
    }

    /// The subscriptions of the account that has made a purchase, or has an
    /// app transaction, by group, and those that members of its family share
    /// with it.
    ///
    /// - Throws: The errors of ``FindingServedCustomer``.
    package func callAsFunction(
        of transaction: TransactionIdentifier, in bundleIdentifier: BundleIdentifier
    ) async throws -> [Listed] {
        try await read { db in
            let found = try FindingServedCustomer.find(transaction, in: bundleIdentifier, db)
            return try Self.all(
                of: found.account, bundleIdentifier: bundleIdentifier, at: found.clock.time(at: db.now), db)
        }
    }

    /// The subscriptions of an account in an app, and those that members of its
    /// family share with it.
    static func all(
        of account: AccountIdentifier, bundleIdentifier: BundleIdentifier, at moment: StoreTime, _ db: StoreTransaction
    ) throws -> [Listed] {
        let own = try Subscription.all(of: account, bundleIdentifier: bundleIdentifier, db).compactMap {
            try listed($0, of: account, at: moment, db)
        }
        let shared = try Purchase.newestShared(with: account, bundleIdentifier: bundleIdentifier, db)
        return try own + shared.compactMap { try listed(shared: $0, at: moment, db) }
    }

    private static func listed(
        _ subscription: Subscription, of account: AccountIdentifier, at moment: StoreTime, _ db: StoreTransaction
    ) throws -> Listed? {
        guard let state = subscription.newestState,
            let purchase = try Purchase.find(state.period.transaction, of: account, db)
        else { return nil }
        return try listed(purchase, of: subscription, state, at: moment, db)
    }

    /// The newest period that a member of the family shares. Its account has
    /// no subscription: the renewal is the sharing member's.
    private static func listed(
        shared purchase: Purchase, at moment: StoreTime, _ db: StoreTransaction
    ) throws -> Listed? {
        guard let share = purchase.share, let source = try Purchase.find(share.transaction, of: share.owner, db),
            let subscription = try Subscription.find(source.originalTransactionIdentifier, of: share.owner, db),
            let state = subscription.newestState
        else { return nil }
        var listed = try listed(purchase, of: subscription, state, at: moment, db)
        if purchase.revoked != nil { listed.status = .revoked }
        return listed
    }

    private static func listed(
        _ purchase: Purchase, of subscription: Subscription, _ state: SubscriptionState, at moment: StoreTime,
        _ db: StoreTransaction
    ) throws -> Listed {
        let events = try subscription.history(db)
        let start = SubscriptionEvent.recentStart(in: events)
        var renewal = ServedRenewal(purchase, state, started: start ?? state.period.start, at: moment)
        try renewal.setWinBackOffers(of: subscription, state, after: events, at: moment, db)
        return Listed(
            group: subscription.group, status: state.servedStatus(at: moment), purchase: purchase, renewal: renewal)
    }
}

extension SubscriptionEvent {
    /// The start of the newest periods without a gap of more than 60 days
    /// (`recentSubscriptionStartDate`); `nil` without a period.
    static func recentStart(in history: [SubscriptionEvent]) -> StoreTime? {
        let gap: Int64 = 60 * 86_400 * 1000
        var start: StoreTime?
        var end: StoreTime?
        for event in history {
            if let period = event.period {
                let isContinued = end.map { period.start.milliseconds - $0.milliseconds <= gap } ?? false
                if !isContinued { start = period.start }
                end = period.end
            } else if event.kind == .extended, let until = event.until {
                end = until
            }
        }
        return start
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The transactions that StoreKit 2 has to show for one account and app,
/// computed from the store's books without the store's own rules.
struct TransactionBooks: Equatable {
    /// A transaction that is one of `Transaction.all`, or may be.
    struct Line: Equatable {
        var isRevoked: Bool
        var isUpgraded: Bool
        /// A consumable isn't listed once the device knows that it was
        /// finished.
        var isConsumable: Bool
    }

    /// A subscription at the time of the books.
    struct Standing: Equatable {
        enum State: Int { case subscribed = 1, expired, retry, grace, revoked }

        var newest: String
        var end: Int64
        var graceEnd: Int64?
        var isExpired: Bool
        var isRevoked: Bool
        var isInRetry: Bool
        /// The moment from which the store may give up the retry.
        var retryMayEnd: Int64

        /// The state at a moment of the account's time: either of two from the
        /// end of a retry until the store has recorded it. A renewal that is
        /// signed meanwhile has ended.
        func states(at now: Int64) -> Set<State> {
            if isRevoked { return [.revoked] }
            if isExpired { return [.expired] }
            if end > now { return [.subscribed] }
            if isInRetry, let graceEnd, graceEnd > now { return [.grace] }
            guard isInRetry else { return [.expired] }
            return now < retryMayEnd ? [.retry] : [.retry, .expired]
        }
    }

    let account: String
    /// The number of the account's last event.
    let number: Int64
    let offset: Int64
    let lines: [String: Line]
    /// By product: the purchases of it that weren't refunded.
    let owned: [String: Set<String>]
    /// By the first transaction of the subscription.
    let subscriptions: [String: Standing]

    init?(_ books: Books, of account: String, in bundle: String) {
        guard let standing = books.standings[account] else { return nil }
        self.account = account
        number = standing.eventNumber
        offset = books.offsets[account] ?? 0
        let charges = books.charges.filter { $0.account == account && $0.bundle == bundle }
        lines = Dictionary(
            charges.map {
                (
                    $0.transaction,
                    Line(isRevoked: $0.isRefunded, isUpgraded: $0.isUpgraded, isConsumable: $0.isConsumable)
                )
            }, uniquingKeysWith: { $1 })
        owned = Dictionary(grouping: charges.filter { $0.isOwnedOnce && !$0.isRefunded }, by: \.product)
            .mapValues { Set($0.map(\.transaction)) }
        var subscriptions: [String: Standing] = [:]
        for subscription in books.subscriptions where subscription.account == account && subscription.bundle == bundle {
            let history = History(subscription)
            guard let newest = history.periods.last else { continue }
            subscriptions[subscription.original] = Standing(
                newest: newest.period.transaction, end: newest.end, graceEnd: history.graceEnd,
                isExpired: history.isExpired, isRevoked: history.isRevoked, isInRetry: history.isInRetry,
                retryMayEnd: history.retryEnds.lowerBound)
        }
        self.subscriptions = subscriptions
    }

    /// The periods that entitle the customer at a moment of the account's
    /// time.
    func periods(at now: Int64) -> Set<String> {
        Set(
            subscriptions.values.filter { !$0.states(at: now).isDisjoint(with: [.subscribed, .grace]) }.map(\.newest))
    }
}

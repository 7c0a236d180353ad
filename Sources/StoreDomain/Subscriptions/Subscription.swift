// SPDX-License-Identifier: Apache-2.0

/// An account's subscription to a group of an app: the history of its dated
/// events.
///
/// An account has one for a group, also when it ends and is bought again, so
/// that the original transaction identifier never changes.
package struct Subscription: Hashable, Sendable {
    /// The identifier of the first transaction.
    package var original: OriginalTransactionIdentifier
    package var account: AccountIdentifier
    package var bundleIdentifier: BundleIdentifier
    package var group: SubscriptionGroupIdentifier
    /// The payment that is under way for it: at most one at a time.
    package var payment: PaymentIdentifier?
    /// The account that has agreed to pay the next periods: the payer of the
    /// newest one that was bought, or a parent who has approved another plan
    /// since. `nil` before the first purchase.
    package var payer: AccountIdentifier?
    /// Whether no other account has agreed to pay: the subscriber is the one who
    /// is informed of a higher price.
    var isPaidBySubscriber: Bool { payer.map { $0 == account } ?? true }
    /// Whether the subscriber shares it with the family, if the seller shares
    /// the product.
    package var isShared = true
    /// The events in their order; empty until the first purchase is made. The
    /// events before the current period may be missing.
    package var events: [SubscriptionEvent] = []
    /// The number of the subscription's events in the database, and how many
    /// of `events` are among them.
    var count: Int64 = 0
    var saved = 0
    /// The number of the event that began the newest period; `nil` when it is
    /// saved.
    var periodNumber: Int64?

    package init(
        original: OriginalTransactionIdentifier, account: AccountIdentifier, bundleIdentifier: BundleIdentifier,
        group: SubscriptionGroupIdentifier, payment: PaymentIdentifier? = nil, events: [SubscriptionEvent] = []
    ) {
        self.original = original
        self.account = account
        self.bundleIdentifier = bundleIdentifier
        self.group = group
        self.payment = payment
        self.events = events
    }

    /// The state after all events; `nil` before the first one.
    var newestState: SubscriptionState? { SubscriptionState(after: events) }

    /// The next step. While a payment is under way, it is the next one that
    /// collects nothing; `nil` when there is none.
    var nextDue: SubscriptionState.Due? { payment == nil ? newestState?.next : newestState?.nextWithoutCharge }

    /// The state as it was after the events until a moment; `nil` before the
    /// first one.
    package func state(at moment: StoreTime) -> SubscriptionState? {
        SubscriptionState(after: events.filter { $0.at <= moment })
    }
}

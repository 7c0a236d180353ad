// SPDX-License-Identifier: Apache-2.0

/// A change of which an app's servers are notified, in the transaction that
/// makes it.
struct NotificationCause: Sendable {
    /// `nil` for a change of which only version 1 notifies.
    var kind: NotificationKind?
    /// The notifications of version 1.
    var former: [FormerNotificationType] = []
    var bundleIdentifier: BundleIdentifier
    var account: AccountIdentifier?
    var transaction: TransactionIdentifier = ""
    var original: OriginalTransactionIdentifier = ""
    /// The account's time of the change.
    var at: StoreTime
    /// The number of the subscription's events; `nil` for all that are saved.
    var stateNumber: Int64?
    /// Its place among the causes between two of the account's events.
    var place: Int64 = 0
    /// A text by which it differs from other causes of its kind and moment.
    var subject = ""
    var details = StoreNotification.Details()

    /// A change of a purchase.
    init(_ kind: NotificationKind, of purchase: Purchase, at moment: StoreTime) {
        self.kind = kind
        former = FormerNotificationType.caused(by: kind, of: purchase)
        bundleIdentifier = purchase.bundleIdentifier
        account = purchase.account
        transaction = purchase.transactionIdentifier
        original = purchase.originalTransactionIdentifier
        at = moment
    }

    /// A change of no customer's.
    init(_ kind: NotificationKind, in app: BundleIdentifier, subject: String, at moment: StoreTime) {
        self.kind = kind
        bundleIdentifier = app
        self.subject = subject
        at = moment
    }

    /// The change of a subscription by one of its events, after which it is in
    /// a state; `nil` for an event of which no version notifies.
    init?(
        _ kind: NotificationKind?, of subscription: Subscription, after events: ArraySlice<SubscriptionEvent>,
        number: Int64
    ) {
        guard let event = events.last, let state = SubscriptionState(after: Array(events)) else { return nil }
        former = FormerNotificationType.caused(by: events)
        guard kind != nil || !former.isEmpty else { return nil }
        self.kind = kind
        bundleIdentifier = subscription.bundleIdentifier
        account = subscription.account
        transaction = state.period.transaction
        original = subscription.original
        at = event.at
        stateNumber = number
        place = number
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension NotificationContents {
    /// Reads the contents of a notification; `nil` when its transaction doesn't
    /// exist any more.
    init?(of notification: StoreNotification, _ db: StoreTransaction) throws {
        self.init()
        guard let account = notification.account, !notification.transaction.rawValue.isEmpty else { return }
        guard var purchase = try Purchase.find(notification.transaction, of: account, db) else { return nil }
        let saved = purchase.revoked
        if notification.revokes {
            // The refund may have been taken back since.
            purchase.revoked = notification.details.revoked.map(StoreTime.init(milliseconds:)) ?? notification.at
            purchase.revokedPart = notification.details.revokedPart
        } else if let revoked = purchase.revoked, revoked >= notification.at {
            // A later refund, also one of the same millisecond, is another notification.
            purchase.revoked = nil
        }
        if purchase.term != nil { try setSubscription(of: &purchase, notification, db) }
        // Of version 1 the end of a refunded subscription's renewal is one more notification.
        let isRefunded = state?.isRevoked == true && state?.period.transaction == purchase.transactionIdentifier
        if notification.version == .one, isRefunded { purchase.revoked = purchase.revoked ?? saved }
        self.purchase = purchase
    }

    /// A member of a family has the state of the sharing member's subscription,
    /// as it is now.
    private mutating func setSubscription(
        of purchase: inout Purchase, _ notification: StoreNotification, _ db: StoreTransaction
    ) throws {
        let source = try purchase.share.flatMap { try Purchase.find($0.transaction, of: $0.owner, db) } ?? purchase
        guard let subscription = try Subscription.find(source.originalTransactionIdentifier, of: source.account, db)
        else { return }
        let history = try subscription.history(db)
        let events = purchase.share == nil ? Array(history.prefix(Int(notification.stateNumber))) : history
        guard let state = SubscriptionState(after: events) else { return }
        self.state = state
        if purchase.transactionIdentifier == state.period.transaction {
            purchase.term?.expires = state.end
            purchase.term?.isUpgraded = false
        }
        status = purchase.share != nil && purchase.revoked != nil ? .revoked : state.servedStatus(at: notification.at)
        renewal = ServedRenewal(
            purchase, state, started: SubscriptionEvent.recentStart(in: events) ?? state.period.start,
            at: notification.at)
        try renewal?.setWinBackOffers(of: subscription, state, after: events, at: notification.at, db)
    }
}

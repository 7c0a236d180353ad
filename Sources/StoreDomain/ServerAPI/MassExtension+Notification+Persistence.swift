// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension MassExtension {
    /// Orders the notification about a subscription that can't be extended.
    func notify(of refused: ExtendingSubscription.Refused, _ db: StoreTransaction) throws {
        guard let subscription = try Subscription.find(refused.original, of: refused.account, db),
            let state = subscription.newestState,
            let purchase = try Purchase.find(state.period.transaction, of: refused.account, db)
        else { return }
        let moment = try AccountClock.of(refused.account, db).time(at: db.now)
        var cause = NotificationCause(.extensionFailure, of: purchase, at: moment)
        cause.subject = order.request.rawValue
        cause.place = subscription.count
        try cause.insert(db)
    }

    /// Orders the notification that all subscriptions were read.
    func notifyOfEnd(_ db: StoreTransaction) throws {
        var cause = NotificationCause(
            .extensionSummary, in: bundleIdentifier, subject: "\(product)\n\(order.request)",
            at: StoreTime(milliseconds: db.now.milliseconds))
        cause.details.summary = StoreNotification.Summary(
            request: order.request.rawValue, product: product.rawValue, storefronts: storefronts.sorted(),
            succeeded: succeeded, failed: failed)
        try cause.insert(db)
    }
}

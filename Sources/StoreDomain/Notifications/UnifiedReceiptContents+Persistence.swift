// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension UnifiedReceiptContents {
    /// Reads the values for a notification about a purchase.
    init(of notification: StoreNotification, _ contents: NotificationContents, _ own: Purchase, _ db: StoreTransaction)
        throws
    {
        let (account, app) = (own.account, own.bundleIdentifier)
        let listed = try Purchase.listed(of: account, bundleIdentifier: app, limit: Self.most, db)
        let purchases = Self.purchases(listed, with: own, of: notification)
        let details = try ServedDetails.of(purchases, db)
        transactions = purchases.map { LatestTransaction($0, details) }
        let original = own.originalTransactionIdentifier
        renewal = contents.state.flatMap { RenewalInfo(original, $0, at: notification.at) }
        let others = try Subscription.all(of: account, bundleIdentifier: app, db).filter { $0.original != original }
            .compactMap { other in other.newestState.flatMap { RenewalInfo(other.original, $0, at: notification.at) } }
        let shared = try RenewalInfo.shared(
            by: listed.filter { $0.originalTransactionIdentifier != original }, at: notification.at, db)
        renewals = [renewal].compactMap(\.self) + others + shared
        entries = try Purchase.receiptEntries(
            of: account, bundleIdentifier: app, limit: IssuingReceipt.mostNotified, db)
        now = try AccountClock.of(account, db).time(at: db.now)
        numbers = try AppNumbers.find(app, db)
        self.app = try ServedApp.bought(app, numbers, by: account, db)
    }
}

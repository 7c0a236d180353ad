// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads the queue of a device, and the events after a number.
package struct ReadingQueue: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The unfinished transactions of a device, as of the account's event
    /// number.
    package struct Snapshot: Sendable {
        /// `nil` when no account is signed in; the queue is empty then.
        package var account: Account?
        /// The unfinished transactions of one app, in the order of their
        /// events.
        package var entries: [UnfinishedTransaction]
        /// The purchases that were revoked after the last event that the
        /// device received.
        package var revoked: [Purchase] = []
        /// The purchases whose refunds were taken back after that event.
        package var reinstated: [Purchase] = []
        /// The event of the last entry, if more entries follow it.
        package var next: AccountEvent.Position?
    }

    /// The largest number of entries on a page.
    package static let pageSize = 500

    /// Reads the queue, or at most `limit` entries of it. If the device names
    /// the last event that it received of the account, the first page contains
    /// the purchases that were revoked after it.
    ///
    /// `after` is the `next` of the page before. The first page is read if it
    /// is `nil` or of another account. A later page ends at the event `until`,
    /// which the first page has named: the receipt of that moment lacks
    /// later purchases.
    package func snapshot(
        of device: DeviceIdentifier, bundleIdentifier: BundleIdentifier, received: AccountEvent.Position? = nil,
        after: AccountEvent.Position? = nil, until: AccountEvent.Position? = nil, limit: Int = .max - 1
    ) async throws -> Snapshot {
        try await read { db in
            guard let account = try Device.signedInAccount(on: device, db) else {
                return Snapshot(account: nil, entries: [])
            }
            let last = after?.account == account.identifier ? after?.number : nil
            let entries = try UnfinishedTransaction.unfinished(
                on: device, bundleIdentifier: bundleIdentifier, account: account.identifier, after: last ?? 0,
                until: until?.account == account.identifier ? until?.number : nil, limit: limit + 1, db)
            var snapshot = Snapshot(account: account, entries: Array(entries.prefix(limit)))
            if entries.count > limit {
                snapshot.next = snapshot.entries.last.map {
                    AccountEvent.Position(account: account.identifier, number: $0.eventNumber)
                }
            }
            if let received, received.account == account.identifier, last == nil {
                snapshot.revoked = try AccountEvent.revoked(
                    after: received, bundleIdentifier: bundleIdentifier, db)
                snapshot.reinstated = try AccountEvent.reinstated(
                    after: received, bundleIdentifier: bundleIdentifier, db)
            }
            return snapshot
        }
    }

    /// The content of an event for one device and app.
    package enum News: Sendable {
        /// The unfinished transaction that the event added to this device's
        /// queue.
        case transaction(UnfinishedTransaction)
        /// A transaction of this app was finished, or is in the queue of
        /// another device only; whether its receipt has changed.
        case finished(TransactionIdentifier, changesReceipt: Bool)
        /// A purchase of this app was deleted.
        case forgotten(TransactionIdentifier)
        /// The app's receipt lists other values of a transaction.
        case receiptChanged
        /// A purchase of this app was revoked.
        case revoked(Purchase)
        /// The refund of a purchase of this app was taken back.
        case reinstated(Purchase)
        /// The account's current storefront, after a change.
        case storefront(Storefront)
        /// The account's current clock, after it was moved.
        case clock(AccountClock)
        /// The app's key-value pairs were written.
        case keyValues
        /// The higher prices that wait for the customer have changed.
        case priceIncreases
        /// A member of the family asks to buy, under this number.
        case childRequest(TransactionIdentifier)
        /// The event concerns another device or app, or its transaction
        /// has left the queue since.
        case nothing
    }

    /// News with the place of its event.
    package struct NumberedNews: Sendable {
        package var position: AccountEvent.Position
        package var news: News
        /// A request of this device whose state has changed and whose payment
        /// the news don't answer, because its transaction has left the queue
        /// or is delivered as one that the app didn't ask for.
        package var unanswered: RequestIdentifier?
    }

    /// The largest number of events that a device receives one at a time. A
    /// device that is further behind receives a snapshot of its queue.
    static let catchUpLimit: Int64 = 200

    /// The account's events after a number, oldest first; `nil` when the
    /// account isn't signed in on the device, when it has no event of that
    /// number, when more than ``catchUpLimit`` events follow, or when one of
    /// them was deleted (``Retention/events``).
    package func news(
        for device: DeviceIdentifier, bundleIdentifier: BundleIdentifier, after position: AccountEvent.Position
    ) async throws -> [NumberedNews]? {
        try await read { db in
            guard let account = try Device.signedInAccount(on: device, db),
                account.identifier == position.account, position.number <= account.eventNumber,
                account.eventNumber - position.number <= Self.catchUpLimit
            else { return nil }
            let deliveries = try AccountEvent.deliveries(
                after: position, to: device, bundleIdentifier: bundleIdentifier, limit: Int(Self.catchUpLimit), db)
            guard deliveries.count == Int(account.eventNumber - position.number) else { return nil }
            return deliveries.map { delivery in
                let news = News(delivery, for: bundleIdentifier, of: account)
                return NumberedNews(
                    position: AccountEvent.Position(account: account.identifier, number: delivery.event.number),
                    news: news, unanswered: Self.unanswered(delivery, news, on: device))
            }
        }
    }
}

extension ReadingQueue {
    private static func unanswered(_ delivery: AccountEvent.Delivery, _ news: News, on device: DeviceIdentifier)
        -> RequestIdentifier?
    {
        guard delivery.event.kind == .transaction else { return nil }
        if case .transaction(let entry) = news, entry.requestIdentifier != nil { return nil }
        guard let purchase = delivery.purchase, purchase.device == device else { return nil }
        return purchase.requestIdentifier
    }
}

extension ReadingQueue.News {
    fileprivate init(
        _ delivery: AccountEvent.Delivery, for bundleIdentifier: BundleIdentifier, of account: Account
    ) {
        let event = delivery.event
        switch event.kind {
        case .storefront:
            self = .storefront(account.storefront)
        case .clock:
            self = .clock(account.clock)
        case .childRequest:
            self = .childRequest(event.transactionIdentifier)
        case _ where event.bundleIdentifier != bundleIdentifier:
            self = .nothing
        case .transaction:
            self = delivery.unfinished.map { .transaction($0) } ?? .nothing
        case .handedOver:
            // Another device has it now, and this one must not deliver it.
            self =
                delivery.unfinished.map { .transaction($0) }
                ?? .finished(event.transactionIdentifier, changesReceipt: false)
        case .revoked:
            self = delivery.purchase.map { .revoked($0) } ?? .nothing
        case .reinstated:
            self = delivery.purchase.map { .reinstated($0) } ?? .nothing
        case .finished:
            self = .finished(event.transactionIdentifier, changesReceipt: event.changesReceipt)
        case .forgotten:
            self = .forgotten(event.transactionIdentifier)
        case .receipt:
            self = .receiptChanged
        case .keyValues:
            self = .keyValues
        case .priceIncrease:
            self = .priceIncreases
        default:
            self = .nothing
        }
    }
}

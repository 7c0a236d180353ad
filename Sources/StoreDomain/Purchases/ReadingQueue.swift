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
    }

    /// Reads the queue. If the device names the last event that it received
    /// of the account, the snapshot contains the purchases that were revoked
    /// after it.
    package func snapshot(
        of device: DeviceIdentifier, bundleIdentifier: String, heard: (account: String, number: Int64)? = nil
    ) async throws -> Snapshot {
        try await read { db in
            guard let account = try Device.signedInAccount(on: device, db) else {
                return Snapshot(account: nil, entries: [])
            }
            let entries = try UnfinishedTransaction.unfinished(
                on: device, bundleIdentifier: bundleIdentifier, account: account.identifier, db)
            var snapshot = Snapshot(account: account, entries: entries)
            if let heard, heard.account == account.identifier {
                snapshot.revoked = try AccountEvent.revoked(
                    after: heard.number, account: account.identifier, bundleIdentifier: bundleIdentifier, db)
            }
            return snapshot
        }
    }

    /// An event, with the data that it has for one device and app.
    package struct News: Sendable {
        package var event: AccountEvent
        /// The unfinished transaction that the event added to this device's
        /// queue, unless it is finished already.
        package var entry: UnfinishedTransaction?
        /// The purchase that the event revoked, if it is of this app.
        package var revoked: Purchase?
        /// The account's current storefront, if the event reports a change of
        /// it.
        package var storefront: Storefront?
    }

    /// The largest number of events that a device receives one at a time. A
    /// device that is further behind receives a snapshot of its queue.
    static let reach: Int64 = 200

    /// The account's events after a number, oldest first; `nil` when the
    /// account isn't signed in on the device, when it has no event of that
    /// number, or when more than ``reach`` events follow.
    package func news(
        for device: DeviceIdentifier, bundleIdentifier: String, account: String, after number: Int64
    ) async throws -> [News]? {
        try await read { db in
            guard let signedIn = try Device.signedInAccount(on: device, db),
                signedIn.identifier == account, number <= signedIn.eventNumber,
                signedIn.eventNumber - number <= Self.reach
            else { return nil }
            return try AccountEvent.after(number, account: account, limit: Int(Self.reach), db).map { event in
                var news = News(event: event)
                let isForApp = event.bundleIdentifier == bundleIdentifier
                switch event.kind {
                case .transaction where isForApp:
                    news.entry = try UnfinishedTransaction.find(
                        event.transactionIdentifier, on: device, db)
                case .revoked where isForApp:
                    news.revoked = try Purchase.find(event.transactionIdentifier, db)
                case .storefront:
                    news.storefront = signedIn.storefront
                default:
                    break
                }
                return news
            }
        }
    }
}

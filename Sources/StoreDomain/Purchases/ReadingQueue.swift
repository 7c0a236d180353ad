// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// What a device's queue holds, and what has happened since a number.
package struct ReadingQueue: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The unfinished queue, as it stood at an event number.
    package struct Snapshot: Sendable {
        /// `nil` when nobody is signed in; the queue is empty then.
        package var account: Account?
        package var entries: [QueueEntry]
        /// What was revoked since the device heard of the account last.
        package var revoked: [Purchase] = []
    }

    /// Reads the queue; a device that has heard of the account before, up to
    /// a number, learns what was revoked since.
    package func snapshot(
        of device: DeviceIdentifier, bundleIdentifier: String, heard: (account: String, number: Int64)? = nil
    ) async throws -> Snapshot {
        try await database.read { [environment] connection in
            guard let account = try Device.signedInAccount(on: device, environment, connection) else {
                return Snapshot(account: nil, entries: [])
            }
            let entries = try QueueEntry.unfinished(
                on: device, bundleIdentifier: bundleIdentifier, account: account.identifier, environment, connection)
            var snapshot = Snapshot(account: account, entries: entries)
            if let heard, heard.account == account.identifier {
                snapshot.revoked = try AccountEvent.revoked(
                    after: heard.number, account: account.identifier, bundleIdentifier: bundleIdentifier, environment,
                    connection)
            }
            return snapshot
        }
    }

    /// One event as this device sees it.
    package struct News: Sendable {
        package var event: AccountEvent
        /// The entry that the event put into this device's queue, unless it
        /// is finished already.
        package var entry: QueueEntry?
        /// What the event revoked, if it is this app's.
        package var revoked: Purchase?
        /// Where the account shops, when the event says that it is elsewhere
        /// than before.
        package var storefront: Storefront?
    }

    /// How many events a device can catch up with; who is further behind gets
    /// the whole queue instead.
    static let reach: Int64 = 200

    /// The account's events after a number, oldest first; `nil` when the
    /// account isn't signed in on the device, or has no such number, or one
    /// that is too old.
    package func news(
        for device: DeviceIdentifier, bundleIdentifier: String, account: String, after number: Int64
    ) async throws -> [News]? {
        try await database.read { [environment] connection in
            guard let signedIn = try Device.signedInAccount(on: device, environment, connection),
                signedIn.identifier == account, number <= signedIn.eventNumber,
                signedIn.eventNumber - number <= Self.reach
            else { return nil }
            return try AccountEvent.after(number, account: account, limit: Int(Self.reach), environment, connection).map
            { event in
                var news = News(event: event)
                let isForApp = event.bundleIdentifier == bundleIdentifier
                switch event.kind {
                case .transaction where isForApp:
                    news.entry = try QueueEntry.find(event.transactionIdentifier, on: device, environment, connection)
                case .revoked where isForApp:
                    news.revoked = try Purchase.find(event.transactionIdentifier, environment, connection)
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

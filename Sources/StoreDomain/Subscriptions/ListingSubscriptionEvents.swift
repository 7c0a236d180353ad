// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists the events of an account's subscriptions, page by page.
///
/// ```swift
/// let list = ListingSubscriptionEvents(context)
/// var page = try await list(of: account, after: [:])
/// while page.hasMore { page = try await list(of: account, after: page.positions) }
/// ```
package struct ListingSubscriptionEvents: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The number of the last known event of each subscription; 0 for a
    /// subscription that isn't among them.
    package typealias Positions = [OriginalTransactionIdentifier: Int64]

    /// Some events, in order of their moments.
    package struct Page: Sendable {
        package var events: [DatedEvent]
        /// The positions after which the next page begins.
        package var positions: Positions
        /// Whether there are events after these positions.
        package var hasMore: Bool
    }

    /// The most events on a page.
    package static let pageSize = 500

    /// The events after the positions.
    package func callAsFunction(of account: AccountIdentifier, after positions: Positions) async throws -> Page {
        let histories = try await read { db in
            try Subscription.all(of: account, db).map { subscription in
                try DatedEvent.after(
                    positions[subscription.original] ?? 0, of: subscription, limit: Self.pageSize + 1, db)
            }
        }
        let all = DatedEvent.merged(histories)
        var page = Page(
            events: Array(all.prefix(Self.pageSize)), positions: positions, hasMore: all.count > Self.pageSize)
        for event in page.events { page.positions[event.original] = event.number }
        return page
    }

    /// The events of the newest period of each subscription, one subscription
    /// after the other.
    package func recent(of account: AccountIdentifier) async throws -> [DatedEvent] {
        try await read { db in
            try Subscription.all(of: account, db).flatMap { subscription in
                try DatedEvent.after(
                    subscription.count - Int64(subscription.saved), of: subscription, limit: Self.pageSize, db)
            }
        }
    }

    /// The positions after all events.
    package func newest(of account: AccountIdentifier) async throws -> Positions {
        try await read { db in
            try Subscription.all(of: account, db).reduce(into: [:]) { $0[$1.original] = $1.count }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads an app's notifications for a seller's server.
package struct ReadingNotificationHistory: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The largest number of notifications on a page.
    package static let pageSize = 20

    /// The most notifications of the period that a page looks at.
    static let mostRows = 2000

    /// A page of the history.
    package struct Page: Sendable {
        package var notifications: [ListingNotifications.Listed]
        /// The place after which the next page begins; `nil` on the last one.
        package var next: NotificationFilter.Place?
    }

    /// The signed notifications of an app, newest first, after a place, with
    /// the deliveries that a team sees. A page of failures has those of these
    /// deliveries.
    ///
    /// It looks at a limited number of notifications: a page may have fewer
    /// than there are, and `next` continues behind them.
    ///
    /// - Throws: ``ServerError`` `transactionNotFound` for a transaction that
    ///   isn't the app's; `DatabaseError`.
    package func callAsFunction(
        _ filter: NotificationFilter, in app: BundleIdentifier, for team: TeamIdentifier = Team.ofTheStore,
        after place: NotificationFilter.Place?
    ) async throws -> Page {
        try await read { db in
            let account = try filter.transaction.map { transaction in
                guard !transaction.isOfApp(in: db.environment) else { throw ServerError.transactionNotFound }
                return try FindingServedPurchase.find(transaction, in: app, db).purchase.account
            }
            let period = StoreNotification.Period(filter, of: app, account, before: place)
            let end = try period.place(after: Self.mostRows, db)
            let found = try period.history(filter, until: end, limit: Self.pageSize + 1, db)
            let shown = Array(found.prefix(Self.pageSize))
            let page = try ListingNotifications.listed(shown, for: team, db).filter { listed in
                !filter.onlyFailures
                    || listed.deliveries.contains { $0.state != .delivered && !$0.attempts.isEmpty }
            }
            return Page(
                notifications: page, next: found.count > Self.pageSize ? shown.last?.listPlace : end)
        }
    }

    /// Orders a notification of the type `TEST`, unless an earlier one waits
    /// for its first attempt.
    ///
    /// - Returns: The identifier of the one that waits.
    /// - Throws: ``ServerError`` `notificationAddressNotFound`; `DatabaseError`.
    package func orderTest(
        in app: BundleIdentifier, for team: TeamIdentifier = Team.ofTheStore
    ) async throws -> String {
        let subject = random.hexadecimal(bytes: 16)
        return try await write(.key("test of \(app)")) { db in
            if let waiting = try StoreNotification.waitingTest(of: app, for: team, db) { return waiting.identifier }
            let moment = StoreTime(milliseconds: db.now.milliseconds)
            guard let identifier = try NotificationCause(.test, in: app, subject: subject, at: moment).insert(db) else {
                throw ServerError.notificationAddressNotFound
            }
            return identifier
        }
    }

    /// A notification of the type `TEST` that an attempt was made to send, with
    /// the deliveries that a team sees.
    ///
    /// - Throws: ``ServerError`` `testNotificationNotFound`; `DatabaseError`.
    package func test(
        _ identifier: String, in app: BundleIdentifier, for team: TeamIdentifier
    ) async throws -> ListingNotifications.Listed {
        try await read { db in
            guard let found = try StoreNotification.find(identifier, db), found.kind == .test,
                found.bundleIdentifier == app, found.payload != nil,
                let listed = try ListingNotifications.listed([found], for: team, db).first,
                listed.deliveries.contains(where: { !$0.attempts.isEmpty })
            else { throw ServerError.testNotificationNotFound }
            return listed
        }
    }
}

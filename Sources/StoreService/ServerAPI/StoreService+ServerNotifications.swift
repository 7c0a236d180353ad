// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The requests of the App Store Server API about notifications, without HTTP.
extension StoreService {
    /// Orders a test notification; while an earlier one waits, the answer has
    /// its token.
    ///
    /// - Throws: `ServerError`, `DatabaseError`.
    package func orderTestNotification(for caller: ServerCaller) async throws -> ServerAnswers.TestNotification {
        ServerAnswers.TestNotification(
            testNotificationToken: try await ReadingNotificationHistory(context).orderTest(
                in: caller.app, for: caller.team))
    }

    /// A test notification with its attempts at the addresses that the caller
    /// sees.
    ///
    /// - Throws: The errors of ``orderTestNotification(for:)``.
    package func testNotification(
        _ token: String, for caller: ServerCaller
    ) async throws -> ServerAnswers.SentNotification {
        ServerAnswers.SentNotification(
            try await ReadingNotificationHistory(context).test(token, in: caller.app, for: caller.team))
    }

    /// How long ago a history may begin (*Get Notification History*).
    private var longestHistory: Duration { .seconds((environment == .production ? 180 : 30) * 86_400) }

    /// A page of an app's notifications, with the attempts at the addresses
    /// that the caller sees.
    ///
    /// - Throws: The errors of ``orderTestNotification(for:)``; `ServerError`
    ///   `startDateTooFarInPast` for a start more than 180 days ago, in the
    ///   sandbox 30.
    package func notificationHistory(
        _ filter: NotificationFilter, for caller: ServerCaller, after place: NotificationFilter.Place?
    ) async throws -> ServerAnswers.NotificationHistory {
        guard filter.start + longestHistory >= now else { throw ServerError.startDateTooFarInPast }
        let page = try await ReadingNotificationHistory(context)(
            filter, in: caller.app, for: caller.team, after: place)
        return ServerAnswers.NotificationHistory(
            notificationHistory: page.notifications.map(ServerAnswers.SentNotification.init),
            hasMore: page.next != nil, paginationToken: page.next?.text)
    }
}

extension ServerAnswers.SentNotification {
    init(_ listed: ListingNotifications.Listed) {
        let attempts = listed.deliveries.flatMap(\.attempts).sorted { $0.at < $1.at }
        self.init(
            signedPayload: listed.notification.payload ?? "",
            sendAttempts: attempts.map {
                .init(attemptDate: $0.at.milliseconds, sendAttemptResult: $0.result.rawValue)
            }, firstSendAttemptResult: attempts.first?.result.rawValue)
    }
}

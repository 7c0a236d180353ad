// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists notifications with their attempts, and sends them again.
package struct ListingNotifications: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The largest number of notifications on a page.
    package static let pageSize = 100

    /// A notification with its deliveries, by address.
    package struct Listed: Sendable {
        package var notification: StoreNotification
        package var deliveries: [NotificationDelivery]
    }

    /// The notifications of an app, or of all apps when the identifier is
    /// empty, newest first, before the one with an identifier.
    ///
    /// - Throws: ``DomainError`` `notFound` when there is no such notification.
    package func callAsFunction(of app: BundleIdentifier = "", before last: String? = nil) async throws -> [Listed] {
        try await read { db in
            let place = try last.map { try Self.find($0, db) }
            let page =
                app.rawValue.isEmpty
                ? try StoreNotification.page(before: place, limit: Self.pageSize, db)
                : try StoreNotification.page(of: app, before: place, limit: Self.pageSize, db)
            return try Self.listed(page, db)
        }
    }

    /// The notification with an identifier.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func find(_ identifier: String) async throws -> Listed {
        try await read { db in
            let found = try Self.find(identifier, db)
            return Listed(notification: found, deliveries: try NotificationDelivery.all(of: [found], db))
        }
    }

    /// Makes another attempt due for each delivery of a notification; for a
    /// team, only for those that it sees. Its transaction calls `authorise`
    /// before it changes anything.
    ///
    /// - Throws: ``DomainError``: `notFound`; `invalid` when it has none yet.
    package func sendAgain(
        _ identifier: String, for team: TeamIdentifier? = nil,
        authorise: @escaping @Sendable (StoreTransaction) throws -> Void = { _ in }
    ) async throws {
        try await write(.key(identifier)) { db in
            try authorise(db)
            let page = [try Self.find(identifier, db)]
            let listed = try Self.listed(page, for: team ?? Team.ofTheStore, db)
            let deliveries = listed.flatMap(\.deliveries)
            for delivery in deliveries { try delivery.sendAgain(db) }
            guard !deliveries.isEmpty else {
                throw DomainError(
                    .invalid, "The notification \(identifier) has no delivery: it isn't signed yet, or had no address.")
            }
        }
    }

    /// Whether nothing of an app, or of all apps when the identifier is empty,
    /// is due now.
    package func isSettled(of app: BundleIdentifier) async throws -> Bool {
        try await read { db in
            guard try !StoreNotification.hasUnsigned(of: app, db) else { return false }
            return try !NotificationDelivery.isDue(of: app, db)
        }
    }

    static func listed(_ page: [StoreNotification], _ db: StoreTransaction) throws -> [Listed] {
        let deliveries = Dictionary(grouping: try NotificationDelivery.all(of: page, db), by: \.notification)
        return page.map { Listed(notification: $0, deliveries: deliveries[$0.identifier] ?? []) }
    }

    /// Notifications of a team's apps, with the deliveries that the team sees.
    /// The operator's addresses for all apps, and the operator's listeners, are
    /// no other team's business: it sees the addresses of its apps, also former
    /// ones that it has added.
    static func listed(
        _ page: [StoreNotification], for team: TeamIdentifier, _ db: StoreTransaction
    ) throws -> [Listed] {
        let all = try listed(page, db)
        guard team != Team.ofTheStore else { return all }
        var own: [BundleIdentifier: Set<String>] = [:]
        for app in Set(page.map(\.bundleIdentifier)) {
            own[app] = Set(try NotificationAddress.all(of: app, in: db.environment, db).map(\.url))
        }
        var seen = all
        for index in seen.indices {
            let urls = own[seen[index].notification.bundleIdentifier] ?? []
            seen[index].deliveries.removeAll { $0.reach == .environment && !urls.contains($0.url) }
        }
        return seen
    }

    private static func find(_ identifier: String, _ db: StoreTransaction) throws -> StoreNotification {
        guard let found = try StoreNotification.find(identifier, db) else {
            throw DomainError(.notFound, "There is no notification \(identifier).")
        }
        return found
    }
}

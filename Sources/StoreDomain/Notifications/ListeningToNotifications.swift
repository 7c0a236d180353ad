// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Gives the notifications of an app to a program that takes them from the
/// sandbox. They are kept for it until it has confirmed them.
package struct ListeningToNotifications: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The most notifications of an answer.
    package static let pageSize = 20

    /// Begins or goes on: saves the listener, which gets the notifications that
    /// are signed from now on, and the results of those that it has taken.
    ///
    /// - Throws: ``DomainError`` `invalid` outside of the sandbox, and when too
    ///   many programs listen.
    package func goOn(_ listener: NotificationListener, confirming taken: [NotificationListener.Taken]) async throws {
        guard environment == .sandbox else {
            throw DomainError(.invalid, "Only the sandbox gives notifications to programs that listen.")
        }
        try await write(.key("notification listeners")) { db in
            try listener.prolong(db)
            for taken in taken { try listener.save(taken, db) }
        }
    }

    /// The next notifications that the listener hasn't confirmed, in the order
    /// of their causes.
    package func waiting(for listener: NotificationListener) async throws -> [ListingNotifications.Listed] {
        try await read { db in
            let found = try listener.waiting(limit: Self.pageSize, db).compactMap { try StoreNotification.find($0, db) }
            return try ListingNotifications.listed(found, db)
        }
    }

    /// Whether an address or a listener receives the notifications of version 2
    /// of an app.
    package func hasReceiver(of app: BundleIdentifier) async throws -> Bool {
        try await read { db in try NotificationListener.hasReceiver(of: app, db) }
    }

    /// Ends a listener. The store doesn't keep further notifications for it.
    package func end(_ listener: NotificationListener) async throws {
        try await write(.key("notification listeners")) { db in try listener.delete(db) }
    }
}

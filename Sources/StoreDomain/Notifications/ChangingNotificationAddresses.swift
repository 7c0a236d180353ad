// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists, adds and removes the addresses to which the store sends
/// notifications.
package struct ChangingNotificationAddresses: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The key of the writes of addresses, which run one at a time.
    static let writeKey = "notification addresses"

    /// All addresses, those for all apps first.
    package func callAsFunction() async throws -> [NotificationAddress] {
        try await read { db in try NotificationAddress.all(db) }
    }

    /// Adds an address of an app, or of all apps when the identifier is empty.
    /// Adding one that exists changes nothing, but one that a team has added in
    /// Connect then reaches each address of the environment. It gets the notifications of
    /// later changes. Without a version, a new address has version 2, and one
    /// that exists keeps its own.
    ///
    /// - Throws: ``DomainError`` `invalid` for an address that isn't allowed, for
    ///   one that exists with another version, and when there are too many.
    package func add(_ url: String, of app: BundleIdentifier = "", version: NotificationVersion? = nil) async throws {
        var address = try NotificationAddress(url, of: app, in: environment)
        address.version = version ?? .two
        try await write(.key(Self.writeKey)) { [address] db in
            let all = try NotificationAddress.all(of: app, in: db.environment, db)
            if let known = all.first(where: { $0.url == url }) {
                guard version == nil || known.version == version else {
                    throw DomainError(
                        .invalid,
                        """
                        \(url.prefix(64)) receives notifications of version \(known.version.rawValue): remove the \
                        address first.
                        """)
                }
                // The operator lets it reach more than a team may.
                try known.allowEnvironment(in: db.environment, db)
                return
            }
            guard all.count < NotificationAddress.most else {
                throw NotificationAddress.tooMany
            }
            try address.insert(in: db.environment, db)
        }
    }

    /// Removes an address of an app. Deliveries that are ordered are still made.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func remove(_ url: String, of app: BundleIdentifier = "") async throws {
        try await write(.key(Self.writeKey)) { db in
            guard try NotificationAddress(saved: url, of: app).delete(in: db.environment, db) else {
                throw DomainError(.notFound, "There is no such notification address: list those of the store.")
            }
        }
    }
}

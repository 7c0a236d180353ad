// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists, adds, changes and removes the notification addresses of a team's app
/// in Connect, and sends a test to them.
package struct RegisteringAddresses: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The addresses of an app, and its newest test.
    package struct Known: Sendable {
        package var addresses: [StoreEnvironment: [NotificationAddress]]
        /// The newest test of this store's environment, with its deliveries to
        /// addresses of the team; `nil` before the first one.
        package var test: ListingNotifications.Listed?
    }

    /// The scope of all changes of addresses, which run one at a time.
    private static let scope = WriteScope.key(ChangingNotificationAddresses.writeKey)

    /// The addresses of an app of the team in both environments.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func callAsFunction(of app: BundleIdentifier, as user: TeamUser) async throws -> Known {
        try user.require(.manageServers)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .manageServers, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            var addresses: [StoreEnvironment: [NotificationAddress]] = [:]
            for environment in StoreEnvironment.all {
                addresses[environment] = try NotificationAddress.all(of: app, in: environment, db)
            }
            let test = try StoreNotification.newest(.test, of: app, db)
            let listed = try test.map { try ListingNotifications.listed([$0], for: actor.team, db) }?.first
            return Known(addresses: addresses, test: listed)
        }
    }

    /// Adds an address of an app.
    ///
    /// - Throws: ``InvalidFields``, also for an address that exists;
    ///   ``DomainError``: `forbidden`, `notFound`, `invalid` for too many.
    package func add(_ values: AddressValues, of app: BundleIdentifier, by user: TeamUser) async throws {
        try await save(values, replacing: nil, of: app, by: user)
    }

    /// Replaces an address of an environment by another one, which may have
    /// another version or environment. `version` is that of the address which
    /// the program has read; `nil` for any.
    ///
    /// - Throws: The errors of ``add(_:of:by:)``; ``DomainError`` `changed` if
    ///   the address doesn't exist any more, or has another version.
    package func change(
        _ former: String, in environment: StoreEnvironment, to values: AddressValues,
        version: NotificationVersion? = nil, of app: BundleIdentifier, by user: TeamUser
    ) async throws {
        try await save(values, replacing: (environment, former, version), of: app, by: user)
    }

    private func save(
        _ values: AddressValues,
        replacing replaced: (environment: StoreEnvironment, url: String, version: NotificationVersion?)?,
        of app: BundleIdentifier, by user: TeamUser
    ) async throws {
        try user.require(.manageServers)
        let (environment, address) = try values.address(of: app, in: user.team)
        try await write(Self.scope) { db in
            let actor = try Self.actor(user, app, db)
            let former = try replaced.flatMap { place in
                try NotificationAddress.all(of: app, in: place.environment, db).first { $0.url == place.url }
            }
            let present = try NotificationAddress.all(of: app, in: environment, db)
            // It exists when the closure runs again after a lost commit.
            if present.contains(where: { $0.url == address.url && $0.version == address.version }),
                former.map({ $0.url == address.url && replaced?.environment == environment }) ?? true
            {
                return
            }
            var before = ""
            if let replaced {
                guard let former, replaced.version.map({ $0 == former.version }) ?? true else {
                    throw DomainError.changed
                }
                before = former.logged(in: replaced.environment)
                _ = try former.delete(in: replaced.environment, db)
            }
            let others = try NotificationAddress.all(of: app, in: environment, db)
            guard !others.contains(where: { $0.url == address.url }) else {
                throw InvalidFields(problems: [FieldProblem(field: "url", kind: .taken)])
            }
            guard others.count < NotificationAddress.most else { throw NotificationAddress.tooMany }
            try address.insert(in: environment, db)
            try TeamChange.append(
                .notificationAddress, of: app.rawValue, from: before, to: address.logged(in: environment),
                by: actor.email, in: user.team, db)
        }
    }

    /// Removes an address of an app. Deliveries that are ordered are still
    /// made.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func remove(
        _ url: String, in environment: StoreEnvironment, of app: BundleIdentifier, by user: TeamUser
    ) async throws {
        try user.require(.manageServers)
        try await write(Self.scope) { db in
            let actor = try Self.actor(user, app, db)
            let found = try NotificationAddress.all(of: app, in: environment, db).first { $0.url == url }
            guard let found, try found.delete(in: environment, db) else {
                throw DomainError(.notFound, "The app has no such notification address.")
            }
            try TeamChange.append(
                .notificationAddress, of: app.rawValue, from: found.logged(in: environment), by: actor.email,
                in: user.team, db)
        }
    }

    /// Orders a test notification to the app's addresses of version 2 in this
    /// store's environment. While an earlier test waits for its first attempt
    /// at an address that the team sees, nothing changes.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `invalid` without
    ///   an address of version 2.
    package func sendTest(of app: BundleIdentifier, by user: TeamUser) async throws {
        try user.require(.manageServers)
        let subject = random.hexadecimal(bytes: 16)
        try await write(.key("test of \(app)")) { db in
            let actor = try Self.actor(user, app, db)
            guard try NotificationAddress.all(of: app, in: db.environment, db).contains(where: { $0.version == .two })
            else {
                throw DomainError(
                    .invalid, "The app has no address of version 2 in this environment: add one first.")
            }
            guard try StoreNotification.waitingTest(of: app, for: actor.team, db) == nil else { return }
            let moment = StoreTime(milliseconds: db.now.milliseconds)
            try NotificationCause(.test, in: app, subject: subject, at: moment).insert(db)
        }
    }

    /// The user, whose right lasts until the end of the transaction.
    private static func actor(_ user: TeamUser, _ app: BundleIdentifier, _ db: StoreTransaction) throws -> TeamUser {
        try Team.hold(user.team, db)
        let actor = try TeamUser.acting(user, may: .manageServers, db)
        _ = try AppRegistration.known(app, of: user.team, db)
        return actor
    }
}

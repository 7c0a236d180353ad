// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Registers the versions of a team's app, releases them, and lists them.
///
/// Each change is one transaction with its entry of the log.
package struct RegisteringVersion: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The versions of an app before a number, the newest first.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func page(
        of app: BundleIdentifier, before number: Int64 = .max, as user: TeamUser
    ) async throws -> ReadingTeam.Page<AppVersion, Int64> {
        try user.require(.seeApps)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            let found = try AppVersion.page(of: app, before: number, limit: ReadingTeam.pageSize + 1, db)
            var page = ReadingTeam.Page<AppVersion, Int64>(entries: Array(found.prefix(ReadingTeam.pageSize)))
            if found.count > ReadingTeam.pageSize { page.next = page.entries.last?.number }
            return page
        }
    }

    /// A version of an app.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func version(
        _ version: String, of app: BundleIdentifier, as user: TeamUser
    ) async throws -> AppVersion {
        try user.require(.seeApps)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            return try Self.known(version, of: app, of: actor.team, db)
        }
    }

    /// Adds a version, which isn't sold until it is released; the one that the
    /// app's item has already is released with it. The store draws its number,
    /// and that of the app if it has none.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `invalid` when the app
    ///   has as many versions as it may have; ``InvalidFields``, also when it has
    ///   this one.
    @discardableResult
    package func add(_ typed: String, to app: BundleIdentifier, by user: TeamUser) async throws -> AppVersion {
        try user.require(.editProducts)
        var checks = FieldChecks()
        let version = AppVersion.checked(typed, &checks)
        try checks.finish()
        let (number, appNumber) = (Item.drawn(random.bytes(8)), Item.drawn(random.bytes(8)))
        return try await write(.catalogue(of: Item.catalogue)) { db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            let registered = try AppRegistration.known(app, of: actor.team, db)
            if let made = try AppVersion.find(version, of: app, db) {
                // The closure runs again after a lost commit.
                if made.externalIdentifier == number { return made }
                throw InvalidFields(problems: [FieldProblem(field: "version", kind: .taken)])
            }
            _ = try registered.number(orDrawn: appNumber, db)
            var made = try AppVersion.add(version, to: app, numbered: number, db)
            if try Item.find(app: app, db)?.version == version {
                try AppVersion.release(version, of: app, numbered: number, db)
                made.state = .ready
            }
            try TeamChange.append(
                .appVersion, of: app.rawValue, to: made.fact, by: actor.email, in: actor.team, db)
            return made
        }
    }

    /// Releases a version: the page of the app sells it from now on, and the
    /// version before is replaced. A released version stays as it is.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `changed` for a
    ///   version that was replaced.
    package func release(_ version: String, of app: BundleIdentifier, by user: TeamUser) async throws {
        try user.require(.editProducts)
        try await write(.catalogue(of: Item.catalogue)) { db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            var found = try Self.known(version, of: app, of: actor.team, db)
            // It is as it should be when the closure runs again.
            if found.state == .ready { return }
            guard found.state == .prepared else {
                throw DomainError(
                    .changed, "Another version was released after this one: add a new version.", reason: .changed)
            }
            let before = try AppVersion.released(of: app, db)
            try AppVersion.release(found.version, of: app, numbered: found.externalIdentifier, db)
            try Item.setVersion(found.version, ofApp: app, db)
            found.state = .ready
            try TeamChange.append(
                .appVersion, of: app.rawValue, from: before?.fact ?? "", to: found.fact, by: actor.email,
                in: actor.team, db)
        }
    }

    /// Removes a version that wasn't released, if it is there.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound` for an app of another
    ///   team, `changed` for a version that was released.
    package func remove(_ version: String, of app: BundleIdentifier, by user: TeamUser) async throws {
        try user.require(.editProducts)
        try await write(.catalogue(of: Item.catalogue)) { db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            guard let found = try AppVersion.find(version, of: app, db) else { return }
            guard found.state == .prepared else {
                throw DomainError(.changed, "This version was released: receipts have its number.", reason: .changed)
            }
            try AppVersion.remove(found.version, of: app, db)
            try TeamChange.append(
                .appVersion, of: app.rawValue, from: found.fact, by: actor.email, in: actor.team, db)
        }
    }

    private static func known(
        _ version: String, of app: BundleIdentifier, of team: TeamIdentifier, _ db: StoreTransaction
    ) throws -> AppVersion {
        _ = try AppRegistration.known(app, of: team, db)
        guard let found = try AppVersion.find(version, of: app, db) else {
            throw DomainError(.notFound, "The app has no such version.")
        }
        return found
    }
}

extension AppVersion {
    /// The values for the log.
    fileprivate var fact: String { "\(version), \(state.rawValue), number \(externalIdentifier)" }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads the apps and products of a team.
package struct ReadingApps: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The apps of a state whose name or identifier contains a text, in an
    /// order.
    ///
    /// - Throws: ``DomainError`` `forbidden`.
    package func apps(
        _ state: AppRegistration.State = .used, containing text: String = "", by sort: AppSort = .usual,
        after place: ListPlace? = nil, as user: TeamUser
    ) async throws -> ReadingTeam.Page<AppRegistration, ListPlace> {
        try user.require(.seeApps)
        let search = try SearchText(text)
        return try await ReadingTeam.Page(after: place) { place, limit in
            try await read { db in
                let actor = try TeamUser.acting(user, may: .seeApps, db)
                return try AppRegistration.page(of: actor.team, state: state, by: sort, after: place, limit: limit, db)
            }
        } matching: { app in
            search.matches([app.name, app.bundleIdentifier.rawValue])
        }
    }

    /// An app of the team.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func app(_ bundleIdentifier: BundleIdentifier, as user: TeamUser) async throws -> AppRegistration {
        try user.require(.seeApps)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            return try AppRegistration.known(bundleIdentifier, of: actor.team, db)
        }
    }

    /// The products of an app of a kind, or of all kinds, whose name or
    /// identifier contains a text, in an order.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func products(
        of bundleIdentifier: BundleIdentifier, kind: String = "", containing text: String = "",
        by sort: ProductSort = .usual, after place: ListPlace? = nil, as user: TeamUser
    ) async throws -> ReadingTeam.Page<ListedProduct, ListPlace> {
        try user.require(.seeApps)
        let search = try SearchText(text)
        return try await ReadingTeam.Page(after: place) { place, limit in
            try await read { db in
                let actor = try TeamUser.acting(user, may: .seeApps, db)
                _ = try AppRegistration.known(bundleIdentifier, of: actor.team, db)
                return try ListedProduct.page(of: bundleIdentifier, by: sort, after: place, limit: limit, db)
            }
        } matching: { product in
            (kind.isEmpty || product.kind.rawValue == kind)
                && search.matches([product.referenceName, product.identifier.rawValue])
        }
    }

    /// A product of an app of the team.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func product(
        _ identifier: ProductIdentifier, of bundleIdentifier: BundleIdentifier, as user: TeamUser
    ) async throws -> ProductRegistration {
        try user.require(.seeApps)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            _ = try AppRegistration.known(bundleIdentifier, of: actor.team, db)
            return try ProductRegistration.known(identifier, of: bundleIdentifier, db)
        }
    }

    /// When all changes of a product will have reached each environment; those
    /// that they have reached are left out.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func arrivals(
        of identifier: ProductIdentifier, in bundleIdentifier: BundleIdentifier, as user: TeamUser
    ) async throws -> [StoreEnvironment: WallTime] {
        try user.require(.seeApps)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            _ = try AppRegistration.known(bundleIdentifier, of: actor.team, db)
            return try FormerProduct.arrivals(of: identifier, in: bundleIdentifier, db)
        }
    }

    /// The groups of an app's subscriptions without their texts, in the order
    /// of their identifiers.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func groups(of bundleIdentifier: BundleIdentifier, as user: TeamUser) async throws -> [SubscriptionGroup] {
        try user.require(.seeApps)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            _ = try AppRegistration.known(bundleIdentifier, of: actor.team, db)
            return try SubscriptionGroup.names(of: bundleIdentifier, db)
        }
    }
}

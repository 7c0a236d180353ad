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
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            return try ReadingTeam.Page(after: place) { place, limit in
                try AppRegistration.page(of: actor.team, state: state, by: sort, after: place, limit: limit, db)
            } matching: { app in
                search.matches([app.name, app.bundleIdentifier.rawValue])
            }
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
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            _ = try AppRegistration.known(bundleIdentifier, of: actor.team, db)
            return try ReadingTeam.Page(after: place) { place, limit in
                try ListedProduct.page(of: bundleIdentifier, by: sort, after: place, limit: limit, db)
            } matching: { product in
                (kind.isEmpty || product.kind.rawValue == kind)
                    && search.matches([product.referenceName, product.identifier.rawValue])
            }
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

    /// The groups of an app's subscriptions, in the order of their
    /// identifiers.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func groups(of bundleIdentifier: BundleIdentifier, as user: TeamUser) async throws -> [SubscriptionGroup] {
        try user.require(.seeApps)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            _ = try AppRegistration.known(bundleIdentifier, of: actor.team, db)
            return try SubscriptionGroup.all(of: bundleIdentifier, db)
        }
    }
}

extension ReadingTeam.Page where Place: Equatable {
    /// A page of the entries after a place that match; without a place, from
    /// the beginning of the list.
    ///
    /// It reads at most `ReadingTeam.searched` entries, and `next` continues
    /// after them: a page of a search may have fewer entries than there are.
    init(
        after first: Place?, place: (Entry) -> Place, reading batch: (Place?, Int) throws -> [Entry],
        matching isWanted: (Entry) -> Bool
    ) throws {
        self.init(entries: [])
        var (last, count) = (first, 0)
        while count < ReadingTeam.searched {
            let found = try batch(last, ReadingTeam.batch)
            count += found.count
            for entry in found {
                last = place(entry)
                if isWanted(entry) { entries.append(entry) }
                if entries.count == ReadingTeam.pageSize {
                    let isLast = found.count < ReadingTeam.batch && found.last.map(place) == last
                    next = isLast ? nil : last
                    return
                }
            }
            if found.count < ReadingTeam.batch { return }
        }
        next = last
    }
}

extension ReadingTeam.Page where Place == ListPlace {
    /// A page of the entries after a place that match, without their places.
    init(
        after first: ListPlace?, reading batch: (ListPlace?, Int) throws -> [PlacedEntry<Entry>],
        matching isWanted: (Entry) -> Bool
    ) throws {
        let page = try ReadingTeam.Page<PlacedEntry<Entry>, ListPlace>(
            after: first, place: { $0.place }, reading: batch, matching: { isWanted($0.value) })
        self.init(entries: page.entries.map(\.value), next: page.next)
    }
}

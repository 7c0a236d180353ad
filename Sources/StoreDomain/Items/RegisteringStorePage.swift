// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads and changes the store page of a team's app: the item that is sold at
/// `/app/…`, which `storectl item` shows too. ``RegisteringItem`` changes its
/// screenshots.
package struct RegisteringStorePage: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The store page of an app.
    package struct Page: Sendable {
        package var app: AppRegistration
        /// `nil` before the page is saved for the first time.
        package var item: Item?
        /// The digests of the screenshots by their places, the first of which
        /// is 1.
        package var screenshots: [(place: Int, digest: String)] = []
        /// The version that is sold; `nil` before the first release.
        package var released: AppVersion?

        /// The number of the page's changes, which a form has; 0 before it is
        /// saved for the first time.
        package var version: Int64 { Self.version(of: item) }

        static func version(of item: Item?) -> Int64 { item.map { $0.edits + 1 } ?? 0 }

        /// The prices of single storefronts that aren't those of the page's
        /// tier, as the form has them.
        package var otherPrices: String { item?.product.ownPrices ?? "" }
    }

    /// The store page of an app.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func callAsFunction(of app: BundleIdentifier, as user: TeamUser) async throws -> Page {
        try user.require(.seeApps)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            var page = Page(app: try AppRegistration.known(app, of: actor.team, db))
            page.item = try Item.find(app: app, db)
            page.released = try AppVersion.released(of: app, db)
            if let item = page.item {
                page.screenshots = try ItemArtwork.digests(of: item.identifier, db).filter { $0.place > 0 }
            }
            return page
        }
    }

    /// Saves the texts, the price, the countries, the first day and the link of
    /// a page. `version` is that of the page with the form. An app without a
    /// number gets one.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `changed`;
    ///   ``InvalidFields``.
    package func save(
        _ values: Item.Values, of app: BundleIdentifier, version: Int64, by user: TeamUser
    ) async throws {
        try user.require(.editProducts)
        let drawn = Item.drawn(random.bytes(8))
        try await write(.catalogue(of: Item.catalogue)) { db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            let registered = try AppRegistration.known(app, of: actor.team, db)
            guard let team = try Team.find(actor.team, db) else { throw TeamUser.signedOut }
            let before = try Item.find(app: app, db)
            var after = try Item(checking: values, of: registered, by: team, replacing: before, at: db.now)
            if before == nil { after.version = try AppVersion.released(of: app, db)?.version ?? "" }
            // It is as it should be when the closure runs again.
            if let before, before.hasValues(of: after) { return }
            guard Page.version(of: before) == version else { throw DomainError.changed }
            if before == nil {
                after.identifier = try registered.number(orDrawn: drawn, db)
                after.product.productIdentifier = Item.product(of: after.identifier)
            }
            try after.saveWhole(db)
            try TeamChange.append(
                .storePageChanged, of: app.rawValue, from: before?.facts ?? "", to: after.facts, by: actor.email,
                in: actor.team, db)
        }
    }
}

extension Item {
    /// Whether another item has the same values, those of a store page's form.
    fileprivate func hasValues(of other: Item) -> Bool {
        facts == other.facts && product.localizations == other.product.localizations && team == other.team
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Schedules prices of a product of a team's app, lists them, and cancels those
/// that haven't begun. A product has one scheduled price for each storefront,
/// and one scheduled base price.
package struct PricingProduct: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The prices of a product, scheduled and begun.
    package struct Prices: Sendable {
        package var product: ProductRegistration
        /// In the order in which they begin.
        package var scheduled: [PriceChange]
        /// The newest first.
        package var begun: [PriceChange]

        /// The version of the scheduled prices, which a form has.
        package var version: String { PricingProduct.version(of: scheduled) }
    }

    /// The most prices of the history.
    package static let mostShown = 50

    /// The prices of a product.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func prices(
        of identifier: ProductIdentifier, in app: BundleIdentifier, as user: TeamUser
    ) async throws -> Prices {
        try user.require(.seeApps)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            let product = try ProductRegistration.known(identifier, of: app, db)
            let all = try PriceChange.ofProduct(identifier, in: app, limit: SchedulingPriceChange.listed, db)
            return Prices(
                product: product, scheduled: all.filter { $0.application == nil }.reversed(),
                begun: Array(all.filter { $0.application != nil }.prefix(Self.mostShown)))
        }
    }

    /// Schedules a price, in the place of the one that was scheduled for the
    /// storefront. One that starts now is applied in the next round.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`; `changed` when
    ///   another user has changed the scheduled prices since; `invalid` for a
    ///   product without a price, and for too many scheduled prices;
    ///   ``InvalidFields``.
    package func schedule(
        _ values: PriceValues, of identifier: ProductIdentifier, in app: BundleIdentifier, version: String,
        by user: TeamUser
    ) async throws {
        try user.require(.editProducts)
        let (change, now) = (PriceChangeIdentifier(random.hexadecimal(bytes: 16)), now)
        faults("price:before")
        try await write(.catalogue(of: app)) { db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            let product = try ProductRegistration.known(identifier, of: app, db)
            // The closure runs again after a lost commit.
            if try PriceChange.find(change, db) != nil { return }
            let new = try values.change(of: product.product, change, at: now)
            guard product.hasPrice else {
                throw DomainError(.invalid, "The product has no price yet: set the first one on its page.")
            }
            try Self.check(version, of: identifier, in: app, db)
            let most = SchedulingPriceChange.limit
            guard try PriceChange.scheduledCount(of: app, limit: most, db) < most else {
                throw DomainError(.invalid, "The app has \(most) scheduled prices already: cancel one first.")
            }
            if let country = new.storefront, product.product.prices[country] == nil {
                try AppCatalogue.requireRoom(for: AppCatalogue.rowBytes, in: app, db)
            }
            try new.schedule(db)
            try TeamChange.append(
                .priceScheduled, of: identifier.rawValue, to: Self.text(of: new), by: actor.email, in: actor.team, db)
        }
        faults("price:after")
    }

    /// Cancels a scheduled price, if it is there.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`; `invalid` when it
    ///   has begun.
    package func cancel(
        _ change: PriceChangeIdentifier, of identifier: ProductIdentifier, in app: BundleIdentifier, by user: TeamUser
    ) async throws {
        try user.require(.editProducts)
        try await write(.catalogue(of: app)) { db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            _ = try ProductRegistration.known(identifier, of: app, db)
            guard let known = try PriceChange.find(change, db) else { return }
            guard known.bundleIdentifier == app, known.productIdentifier == identifier else {
                throw DomainError(.notFound, "The product has no such price.")
            }
            guard try PriceChange.cancel(change, db) else {
                throw DomainError(.invalid, "This price applies already: set another one.")
            }
            try TeamChange.append(
                .priceCancelled, of: identifier.rawValue, from: Self.text(of: known), by: actor.email, in: actor.team,
                db)
        }
    }

    private static func version(of scheduled: [PriceChange]) -> String {
        scheduled.map(\.identifier.rawValue).sorted().joined(separator: " ")
    }

    private static func check(
        _ version: String, of identifier: ProductIdentifier, in app: BundleIdentifier, _ db: StoreTransaction
    ) throws {
        let all = try PriceChange.ofProduct(identifier, in: app, limit: SchedulingPriceChange.listed, db)
        guard Self.version(of: all.filter { $0.application == nil }) == version else { throw DomainError.changed }
    }

    /// The price in the log.
    private static func text(of change: PriceChange) -> String {
        let day = CivilDate(dayNumber: Int(max(0, change.starts.milliseconds) / 86_400_000)).text
        let price = change.milliunits.decimal(in: change.storefront)
        return "\(change.storefront ?? "base price") \(price) from \(day)"
    }
}

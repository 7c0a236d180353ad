// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Schedules prices of products, lists them with those that have begun, and
/// cancels those that haven't.
package struct SchedulingPriceChange: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The most scheduled changes of an app.
    package static let limit = 5000
    /// The most changes that are listed.
    package static let listed = 500

    /// A price that is to begin.
    package struct Order: Hashable, Sendable {
        package var product: ProductIdentifier
        package var bundle: BundleIdentifier
        /// The country code of a storefront; `nil` for the base price.
        package var country: String?
        /// A decimal such as `0.99`.
        package var price: String
        /// `nil` for now. It is at most two years ahead.
        package var starts: WallTime?
        package var subscribers: PriceChange.Subscribers
        package var consent: PriceChange.Consent

        package init(
            _ product: ProductIdentifier, of bundle: BundleIdentifier, in country: String? = nil, price: String,
            starts: WallTime? = nil, subscribers: PriceChange.Subscribers = .keep,
            consent: PriceChange.Consent = .rule
        ) {
            self.product = product
            self.bundle = bundle
            self.country = country
            self.price = price
            self.starts = starts
            self.subscribers = subscribers
            self.consent = consent
        }
    }

    /// Schedules a change in place of the one that was scheduled for the
    /// product and storefront. One that starts now is applied in the next
    /// round (``ApplyingPriceChanges``).
    ///
    /// - Throws: ``DomainError``: `notFound` for the product; `invalid` for an
    ///   unknown country, a price that isn't one, a start in the past or too
    ///   far ahead, subscribers of a product that isn't an auto-renewable
    ///   subscription, and too many changes.
    @discardableResult
    package func callAsFunction(_ order: Order) async throws -> PriceChange {
        let storefront = try order.country.map(Storefront.known)
        let milliunits = try SettingPrice.milliunits(order.price, in: storefront)
        let (identifier, now) = (PriceChangeIdentifier(random.hexadecimal(bytes: 16)), now)
        let starts = order.starts ?? now
        guard starts >= now, starts <= now + .seconds(2 * 366 * 86_400) else {
            throw DomainError(.invalid, "A price starts now or later, at most two years ahead: give another start.")
        }
        let change = PriceChange(
            identifier: identifier, bundleIdentifier: order.bundle, productIdentifier: order.product,
            storefront: storefront?.countryCode, milliunits: milliunits, starts: starts,
            subscribers: order.subscribers, consent: order.consent, created: now)
        return try await write(.catalogue(of: order.bundle)) { db in
            // The closure runs again after a commit whose answer was lost.
            if let known = try PriceChange.find(change.identifier, db) { return known }
            let product = try Catalogue.known(order.product, of: order.bundle, db)
            guard change.subscribers == .keep || product.plan != nil else {
                throw DomainError(
                    .invalid, "\"\(order.product)\" has no subscribers: only an auto-renewable subscription has some.")
            }
            guard try PriceChange.scheduledCount(of: order.bundle, limit: Self.limit, db) < Self.limit else {
                throw DomainError(
                    .invalid, "\(order.bundle) has \(Self.limit) scheduled prices already: cancel one first.")
            }
            try change.schedule(db)
            return change
        }
    }

    /// The newest 500 changes of a product, those that start last first.
    ///
    /// - Throws: ``DomainError`` `notFound` for the product.
    package func changes(
        of product: ProductIdentifier, in bundleIdentifier: BundleIdentifier
    ) async throws -> [PriceChange] {
        try await read { db in
            _ = try Catalogue.known(product, of: bundleIdentifier, db)
            return try PriceChange.ofProduct(product, in: bundleIdentifier, limit: Self.listed, db)
        }
    }

    /// Cancels a scheduled change. Nothing happens when it was cancelled
    /// before.
    ///
    /// - Throws: ``DomainError`` `decided` when it has begun.
    package func cancel(_ identifier: PriceChangeIdentifier) async throws {
        guard let change = try await read({ try PriceChange.find(identifier, $0) }) else { return }
        try await write(.catalogue(of: change.bundleIdentifier)) { db in
            guard try !PriceChange.cancel(identifier, db), try PriceChange.find(identifier, db) != nil else { return }
            throw DomainError(.decided, "This price applies already: set another one.")
        }
    }
}

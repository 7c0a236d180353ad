// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Adds offers to a product of a team's app, and removes them.
///
/// Each is one transaction, with the version of the product that the page has
/// shown. A customer who has an offer keeps it when it is removed.
package struct RegisteringOffer: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Adds an offer behind the others of its kind.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `changed`; `invalid`
    ///   when the product has as many offers of the kind, or the app as many
    ///   bytes, as it can have; ``InvalidFields``.
    package func add(
        _ values: OfferValues, to identifier: ProductIdentifier, of app: BundleIdentifier, version: Int64,
        by user: TeamUser
    ) async throws {
        try await change(identifier, of: app, version: version, by: user) { product in
            let offer = try values.checked(for: product)
            if product.offers.contains(offer) { return nil }
            try Self.checkPlace(of: offer, in: product)
            product.offers.insert(
                offer,
                at: product.offers.lastIndex { $0.kind == offer.kind }.map { $0 + 1 }
                    ?? product.offers.endIndex)
            return (.offerAdded, "\(offer.kind.rawValue) \(offer.identifier): \(offer.terms)")
        }
    }

    /// Removes an offer, if the product has it. Its codes can't be redeemed
    /// any more.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `changed`.
    package func remove(
        _ kind: Product.Offer.Kind, named name: String, from identifier: ProductIdentifier, of app: BundleIdentifier,
        version: Int64, by user: TeamUser
    ) async throws {
        try await change(identifier, of: app, version: version, by: user) { product in
            guard let place = product.offers.firstIndex(where: { $0.kind == kind && $0.identifier == name }) else {
                return nil
            }
            let offer = product.offers.remove(at: place)
            return (.offerRemoved, "\(offer.kind.rawValue) \(offer.identifier): \(offer.terms)")
        }
    }

    /// Changes the offers of a product. The closure returns `nil` when nothing
    /// is left to change, because the closure of a write runs again after a
    /// lost commit.
    private func change(
        _ identifier: ProductIdentifier, of app: BundleIdentifier, version: Int64, by user: TeamUser,
        _ change: @escaping @Sendable (inout Product) throws -> (kind: TeamChange.Kind, text: String)?
    ) async throws {
        try user.require(.manageOffers)
        faults("offer:before")
        try await write(.catalogue(of: app)) { db in
            let actor = try TeamUser.acting(user, may: .manageOffers, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            let before = try ProductRegistration.known(identifier, of: app, db)
            var after = before
            guard let entry = try change(&after.product) else { return }
            guard before.version == version else { throw DomainError.changed }
            try AppCatalogue.requireRoom(for: after.product.bytes - before.product.bytes, in: app, db)
            try after.save(db)
            try TeamChange.append(
                entry.kind, of: identifier.rawValue, to: entry.text, by: actor.email, in: actor.team, db)
        }
        faults("offer:after")
    }

    private static func checkPlace(of offer: Product.Offer, in product: Product) throws {
        let same = product.offers.filter { $0.kind == offer.kind }
        let most = OfferValues.mostOffers(of: offer.kind)
        guard same.count < most else {
            throw DomainError(.invalid, "A product has at most \(most) offers of this kind: remove one first.")
        }
        let taken = product.offers.contains { other in
            other.identifier == offer.identifier && other.kind != .introductory && offer.kind != .introductory
        }
        if taken { throw InvalidFields(problems: [FieldProblem(field: "identifier", kind: .taken)]) }
    }
}

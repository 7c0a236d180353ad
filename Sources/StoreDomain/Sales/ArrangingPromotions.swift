// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Promotes the products of a team's app, and sets their order and visibility.
package struct ArrangingPromotions: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A change of the list.
    package enum Change: String, CaseIterable, Sendable {
        /// Adds a product that has an image at the end.
        case add
        case remove
        /// Moves a product to the place before.
        case up
        /// Moves a product to the place after.
        case down
        case hide
        case show
    }

    /// A promoted product with its image; `nil` for one without, which the
    /// operator has promoted.
    package struct Entry: Hashable, Sendable {
        package var promoted: PromotedProduct
        package var image: RegistrationImage?
    }

    /// The promoted products of an app of the team, in their order.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func list(of app: BundleIdentifier, as user: TeamUser) async throws -> [Entry] {
        try user.require(.seeApps)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            let promoted = try PromotedProduct.list(of: app, db)
            let images = try RegistrationImage.all(.promotion, of: promoted.map(\.product), in: app, db)
            return promoted.map { Entry(promoted: $0, image: images[$0.product]) }
        }
    }

    /// Changes the list. `before` is the summary of the list that the page
    /// showed: when another change was saved meanwhile, nothing is changed.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `changed`; `invalid`
    ///   for a product without an image, and for too many products;
    ///   ``InvalidFields`` for a product that the app doesn't have.
    package func callAsFunction(
        _ change: Change, _ product: ProductIdentifier, of app: BundleIdentifier, before: String, by user: TeamUser
    ) async throws {
        try user.require(.promoteProducts)
        try await write(.catalogue(of: app)) { db in
            let actor = try TeamUser.acting(user, may: .promoteProducts, db)
            _ = try AppRegistration.known(app, of: user.team, db)
            let list = try PromotedProduct.list(of: app, db)
            guard list.summary == before else {
                // The closure runs again after a lost commit.
                if try Self.isRepeated(change, product, before, list, user, db) { return }
                throw DomainError.changed
            }
            if change == .add { try Self.requireImage(of: product, in: app, db) }
            let changed = try Self.applied(change, product, to: list)
            guard changed != list else { return }
            try PromotedProduct.replace(changed, of: app, db)
            try TeamChange.append(
                .promotionChanged, of: app.rawValue, from: list.summary, to: changed.summary, by: actor.email,
                in: user.team, db)
        }
    }

    /// Whether the newest change of the team is this one.
    private static func isRepeated(
        _ change: Change, _ product: ProductIdentifier, _ before: String, _ list: [PromotedProduct],
        _ user: TeamUser, _ db: StoreTransaction
    ) throws -> Bool {
        guard let last = try TeamChange.page(of: user.team, before: .max, limit: 1, db).first else { return false }
        return last.kind == .promotionChanged && last.at == db.now && last.user == user.email
            && last.before == before && last.after == list.summary
    }

    private static func requireImage(
        of product: ProductIdentifier, in app: BundleIdentifier, _ db: StoreTransaction
    ) throws {
        guard try Catalogue.saved(product, of: app, db) != nil else {
            throw InvalidFields(problems: [FieldProblem(field: "product", kind: .unknown)])
        }
        guard try RegistrationImage.all(of: product, in: app, db)[.promotion] != nil else {
            throw DomainError(.invalid, "A promoted product has an image: add it on the page of the product first.")
        }
    }

    /// The list after a change. A product at the end of the list in the
    /// direction of its move stays there.
    static func applied(
        _ change: Change, _ product: ProductIdentifier, to list: [PromotedProduct]
    ) throws -> [PromotedProduct] {
        var list = list
        let place = list.firstIndex { $0.product == product }
        if change == .add {
            if place == nil { list.append(PromotedProduct(product: product)) }
            try PromotedProduct.check(list.map(\.product))
            return list
        }
        guard let place else { throw DomainError(.notFound, "The product isn't promoted.") }
        switch change {
        case .add: break
        case .remove: list.remove(at: place)
        case .up: if place > 0 { list.swapAt(place, place - 1) }
        case .down: if place + 1 < list.count { list.swapAt(place, place + 1) }
        case .hide: list[place].isVisible = false
        case .show: list[place].isVisible = true
        }
        return list
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Registers a product of a team's app, changes one, and submits it to the
/// operator's review.
///
/// Each is one transaction, so that no process that ends leaves a product that
/// is sold and incomplete. Imports of files leave the product alone from then
/// on.
package struct RegisteringProduct: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Registers a product with an identifier that no product of the team has
    /// or had.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound` for an app of another
    ///   team, `invalid` when the app has as many products, groups or bytes as
    ///   it can have; ``InvalidFields``.
    package func callAsFunction(
        _ new: NewProduct, in app: BundleIdentifier, by user: TeamUser
    ) async throws -> ProductRegistration {
        try user.require(.editProducts)
        let checked = try new.checked(in: app, groupIdentifier: random.hexadecimal(bytes: 4).uppercased())
        do {
            return try await write(.catalogue(of: app)) { db in
                let actor = try TeamUser.acting(user, may: .editProducts, db)
                _ = try AppRegistration.known(app, of: user.team, db)
                if let made = try Self.repeated(checked.registration, in: user.team, db) { return made }
                try Self.save(checked, of: user.team, db)
                try TeamChange.append(
                    .productRegistered, of: checked.registration.product.productIdentifier.rawValue,
                    to: checked.registration.product.referenceName, by: actor.email, in: user.team, db)
                return checked.registration
            }
        } catch let error as DatabaseError where error.constraint == "team_product_pkey" {
            throw Self.taken
        }
    }

    private static let taken = InvalidFields(problems: [FieldProblem(field: "product", kind: .taken)])

    /// The product when it exists as it is to be registered, because the
    /// closure runs again after a lost commit; `nil` for a free identifier.
    private static func repeated(
        _ new: ProductRegistration, in team: TeamIdentifier, _ db: StoreTransaction
    ) throws -> ProductRegistration? {
        let product = new.product
        guard try ProductRegistration.isTaken(product.productIdentifier, in: team, db) else { return nil }
        let made = try ProductRegistration.find(product.productIdentifier, of: product.bundleIdentifier, db)
        guard let made, made.version == 1, made.facts == new.facts else { throw taken }
        return made
    }

    private static func save(_ new: NewProduct.Checked, of team: TeamIdentifier, _ db: StoreTransaction) throws {
        let app = new.registration.product.bundleIdentifier
        guard try ProductRegistration.count(of: app, db) < ProductRegistration.limit else {
            throw DomainError(.invalid, "An app has at most \(ProductRegistration.limit) products.")
        }
        let bytes = new.registration.product.bytes + (new.newGroup?.bytes ?? 0)
        try AppCatalogue.requireRoom(for: bytes, in: app, db)
        if let plan = new.registration.product.plan {
            let groups = try SubscriptionGroup.names(of: app, db)
            if let group = new.newGroup {
                guard groups.count < SubscriptionGroup.limit else { throw SubscriptionGroup.full }
                guard !groups.contains(where: { $0.referenceName == group.referenceName }) else {
                    throw InvalidFields(problems: [FieldProblem(field: "newGroup", kind: .taken)])
                }
                try group.save(db)
            } else if !groups.contains(where: { $0.identifier == plan.group }) {
                throw InvalidFields(problems: [FieldProblem(field: "group", kind: .unknown)])
            }
        }
        try new.registration.claim(for: team, db)
        try new.registration.save(db)
    }

    /// Changes a product. `version` is that of the page with the form: when
    /// another change was saved meanwhile, nothing is changed.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `changed`, `invalid`
    ///   for an app without room; ``InvalidFields``.
    package func change(
        _ identifier: ProductIdentifier, of app: BundleIdentifier, to values: ProductRegistration.Values,
        version: Int64, by user: TeamUser
    ) async throws {
        try user.require(.editProducts)
        let numbers = random.hexadecimal(bytes: 14)
        try await write(.catalogue(of: app)) { db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            _ = try AppRegistration.known(app, of: user.team, db)
            let before = try ProductRegistration.known(identifier, of: app, db)
            let after = try before.with(values)
            // Nothing is left to change when the closure runs again after a
            // lost commit.
            guard after != before else { return }
            guard before.version == version else { throw DomainError.changed }
            try AppCatalogue.requireRoom(for: after.product.bytes - before.product.bytes, in: app, db)
            try after.save(db)
            try Self.notePrices(before.product, after.product, numbers, db)
            let changes = before.changes(to: after)
            try TeamChange.append(
                .productChanged, of: identifier.rawValue, from: changes.before, to: changes.after, by: actor.email,
                in: user.team, db)
        }
    }

    /// Submits a complete product to the operator's review; a store that
    /// approves all products approves it in the same transaction.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `changed`, `invalid`
    ///   for a product that lacks values, `decided` for one that was
    ///   submitted.
    package func submit(
        _ identifier: ProductIdentifier, of app: BundleIdentifier, version: Int64, by user: TeamUser
    ) async throws {
        try user.require(.editProducts)
        let now = now
        try await write(.catalogue(of: app)) { db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            _ = try AppRegistration.known(app, of: user.team, db)
            let before = try ProductRegistration.known(identifier, of: app, db)
            // It is in the queue, or approved, when the closure runs again
            // after a lost commit.
            if before.review.submitted == now { return }
            if context.approvesProducts, before.review.state == .approved { return }
            let lacks = context.reviewsProducts ? before.missingForReview : before.missing
            guard lacks.isEmpty else {
                let missing = lacks.map(\.rawValue).joined(separator: " and ")
                throw DomainError(.invalid, "The product lacks \(missing): add it first.")
            }
            guard before.version == version else { throw DomainError.changed }
            var after = before
            after.review = try before.review.submitted(at: now, approvesAll: context.approvesProducts)
            try after.save(db)
            try TeamChange.append(
                .productSubmitted, of: identifier.rawValue, from: before.review.state.rawValue,
                to: after.review.state.rawValue, by: actor.email, in: user.team, db)
        }
    }

    /// Adds the new prices to the history of the product's prices, which has
    /// an end.
    static func notePrices(
        _ before: Product, _ after: Product, _ numbers: String, _ db: StoreTransaction
    ) throws {
        let countries = Set(before.prices.keys).union(after.prices.keys).sorted()
        let changes = ([nil] + countries.map(Optional.some)).enumerated().compactMap { place, country in
            PriceChange(
                PriceChangeIdentifier(numbers + String(place + 0x1000, radix: 16)), from: before, to: after,
                in: country, at: db.now)
        }
        for change in changes { try change.insertFinished(db) }
        if !changes.isEmpty { try PriceChange.forgetOld(of: after.productIdentifier, in: after.bundleIdentifier, db) }
    }
}

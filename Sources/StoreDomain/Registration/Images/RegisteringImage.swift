// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreDatabase

/// Saves and removes the images of a team's apps and products, and reads them
/// for the team and the reviewer.
///
/// An image is saved with its bytes in one transaction: a process that ends
/// leaves the earlier image, or the new one.
package struct RegisteringImage: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Saves an image of a product, or of an app for `nil`, in the place of
    /// the one with its purpose. A review of the product counts it as a
    /// change.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `invalid` when the
    ///   team has too many; ``InvalidFields``.
    package func callAsFunction(
        _ bytes: Data, for purpose: RegistrationImage.Purpose, of product: ProductIdentifier?,
        in app: BundleIdentifier, by user: TeamUser
    ) async throws {
        try user.require(Self.action(purpose))
        let image = try RegistrationImage(checking: bytes, for: purpose)
        try await change(purpose, of: product, in: app, by: user, to: image.summary) { before, db in
            guard before != image else { return false }
            try image.requireRoom(in: user.team, replacing: before, db)
            try image.save(bytes, of: product, in: app, db)
            return true
        }
    }

    /// Removes the image of a purpose. A promoted product keeps its image.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `invalid` for the
    ///   image of a promoted product.
    package func remove(
        _ purpose: RegistrationImage.Purpose, of product: ProductIdentifier?, in app: BundleIdentifier,
        by user: TeamUser
    ) async throws {
        try user.require(Self.action(purpose))
        try await change(purpose, of: product, in: app, by: user, to: "") { before, db in
            guard before != nil else { return false }
            if purpose == .promotion, try PromotedProduct.list(of: app, db).contains(where: { $0.product == product }) {
                throw DomainError(.invalid, "The product is promoted: end its promotion before you remove its image.")
            }
            try RegistrationImage.delete(purpose, of: product, in: app, db)
            return true
        }
    }

    /// The images of a product, or of an app for `nil`.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func all(
        of product: ProductIdentifier?, in app: BundleIdentifier, as user: TeamUser
    ) async throws -> [RegistrationImage.Purpose: RegistrationImage] {
        try user.require(.seeApps)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            return try RegistrationImage.all(of: product, in: app, db)
        }
    }

    /// The bytes of an image of the team, and their media type.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func bytes(
        of digest: String, product: ProductIdentifier?, in app: BundleIdentifier, as user: TeamUser
    ) async throws -> (type: String, bytes: Data) {
        try user.require(.seeApps)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            guard let found = try RegistrationImage.bytes(of: digest, product: product, in: app, db) else {
                throw DomainError(.notFound, "There is no such image.")
            }
            return found
        }
    }

    /// The action that a change of an image of a purpose needs.
    package static func action(_ purpose: RegistrationImage.Purpose) -> TeamAction {
        purpose == .review ? .editProducts : .promoteProducts
    }

    /// Runs a change of the image of a purpose, which returns whether it has
    /// changed something, and appends it to the log.
    private func change(
        _ purpose: RegistrationImage.Purpose, of product: ProductIdentifier?, in app: BundleIdentifier,
        by user: TeamUser, to summary: String,
        _ body: @escaping @Sendable (RegistrationImage?, StoreTransaction) throws -> Bool
    ) async throws {
        try await write(.catalogue(of: app)) { db in
            let actor = try TeamUser.acting(user, may: Self.action(purpose), db)
            _ = try AppRegistration.known(app, of: user.team, db)
            if let product { _ = try Catalogue.known(product, of: app, db) }
            let before = try RegistrationImage.all(of: product, in: app, db)[purpose]
            // It is as it should be when the closure runs again after a lost
            // commit.
            guard try body(before, db) else { return }
            if purpose == .review, let product { try ProductReview.noteChange(of: product, in: app, db) }
            try TeamChange.append(
                .imageChanged, of: product?.rawValue ?? app.rawValue, from: before?.summary ?? "", to: summary,
                by: actor.email, in: user.team, db)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Saves a seller's order to extend the subscriptions of all subscribers of a
/// product, and reads its progress. ``CarryingOutMassExtensions`` carries it
/// out.
package struct OrderingMassExtension: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Saves an order of an app. Repeating it changes nothing.
    ///
    /// - Throws: ``ServerError``: `invalidProduct` for one that isn't an
    ///   auto-renewable subscription of the app, `invalidRequestIdentifier` for
    ///   an identifier of another order, `rateLimitExceeded` while an earlier
    ///   order of the product isn't complete, or too many of the app aren't;
    ///   `DatabaseError`.
    package func callAsFunction(
        _ product: ProductIdentifier, in bundleIdentifier: BundleIdentifier, by order: RenewalExtension,
        storefronts: Set<String> = []
    ) async throws {
        try await write(.key("extensions of \(bundleIdentifier)")) { db in
            let known = try Catalogue.product(product, of: bundleIdentifier, db)
            guard known?.kind == .autoRenewable else { throw ServerError.invalidProduct }
            let new = MassExtension(
                bundleIdentifier: bundleIdentifier, product: product, order: order, storefronts: storefronts,
                created: db.now)
            if let saved = try MassExtension.find(order.request, of: product, in: bundleIdentifier, db) {
                guard saved.isRepeated(by: new) else { throw ServerError.invalidRequestIdentifier }
                return
            }
            guard try !MassExtension.isWaiting(for: product, in: bundleIdentifier, db) else {
                throw ServerError.rateLimitExceeded
            }
            try new.insert(db)
        }
    }

    /// An order with its progress.
    ///
    /// - Throws: ``ServerError`` `massExtensionNotFound`, `DatabaseError`.
    package func progress(
        of request: RenewalExtensionIdentifier, product: ProductIdentifier, in bundleIdentifier: BundleIdentifier
    ) async throws -> MassExtension {
        let found = try await read { db in try MassExtension.find(request, of: product, in: bundleIdentifier, db) }
        guard let found else { throw ServerError.massExtensionNotFound }
        return found
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Sets the products that a seller promotes on the page of an app.
package struct PromotingProducts: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Replaces the promoted products of an app, in the seller's order. Without
    /// any the app promotes none. A product that the seller shows on chosen
    /// devices only stays so.
    ///
    /// - Throws: ``DomainError``: `invalid` for too many products or one that is
    ///   named twice, `notFound` for one that the app doesn't have.
    package func callAsFunction(_ products: [ProductIdentifier], of app: BundleIdentifier) async throws {
        try PromotedProduct.check(products)
        try await write(.catalogue(of: app)) { db in
            for product in products { _ = try Catalogue.known(product, of: app, db) }
            let hidden = Set(try PromotedProduct.list(of: app, db).filter { !$0.isVisible }.map(\.product))
            let promoted = products.map { PromotedProduct(product: $0, isVisible: !hidden.contains($0)) }
            try PromotedProduct.replace(promoted, of: app, db)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A product that a seller promotes on the page of the app. Reading and writing
/// the rows is in PromotedProduct+Persistence.swift.
package enum PromotedProduct {
    /// The largest number of promoted products of an app.
    package static let limit = 20

    /// Checks the order that a seller gives.
    ///
    /// - Throws: ``DomainError`` `invalid` for too many products, and for one
    ///   that is named twice.
    static func check(_ products: [ProductIdentifier]) throws {
        guard products.count <= limit else {
            throw DomainError(.invalid, "An app promotes at most \(limit) products, not \(products.count).")
        }
        guard Set(products).count == products.count else {
            throw DomainError(.invalid, "Each promoted product is named once.")
        }
    }
}

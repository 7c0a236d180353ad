// SPDX-License-Identifier: Apache-2.0

/// A product that a seller promotes on the page of the app. Reading and writing
/// the rows is in PromotedProduct+Persistence.swift.
package struct PromotedProduct: Hashable, Sendable {
    package var product: ProductIdentifier
    /// Whether every visitor sees it. Otherwise only those devices show it on
    /// which the app asks for it.
    package var isVisible: Bool

    package init(product: ProductIdentifier, isVisible: Bool = true) {
        self.product = product
        self.isVisible = isVisible
    }

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

extension [PromotedProduct] {
    /// The list in one line, by which a form finds that another user has
    /// changed it.
    package var summary: String {
        map { $0.isVisible ? $0.product.rawValue : "\($0.product) (hidden)" }.joined(separator: ", ")
    }
}

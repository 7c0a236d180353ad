// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension PromotedProduct {
    /// The promoted products of an app, in the seller's order.
    static func list(of app: BundleIdentifier, _ db: StoreTransaction) throws -> [PromotedProduct] {
        try db.rows("SELECT product_id, is_visible FROM promoted_product WHERE bundle_id = $1 ORDER BY place", [app])
            .map { PromotedProduct(product: try $0.get("product_id"), isVisible: try $0.get("is_visible")) }
    }

    /// Replaces the promoted products of an app.
    static func replace(_ products: [PromotedProduct], of app: BundleIdentifier, _ db: StoreTransaction) throws {
        try db.run("DELETE FROM promoted_product WHERE bundle_id = $1", [app])
        for (place, promoted) in products.enumerated() {
            try db.run(
                "INSERT INTO promoted_product (bundle_id, place, product_id, is_visible) VALUES ($1, $2, $3, $4)",
                [app, place, promoted.product, promoted.isVisible]
            )
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension PromotedProduct {
    /// The promoted products of an app, in the seller's order.
    static func list(of app: BundleIdentifier, _ db: StoreTransaction) throws -> [ProductIdentifier] {
        try db.rows("SELECT product_id FROM promoted_product WHERE bundle_id = $1 ORDER BY place", [app])
            .map { try $0.get("product_id") }
    }

    /// Replaces the promoted products of an app.
    static func replace(_ products: [ProductIdentifier], of app: BundleIdentifier, _ db: StoreTransaction) throws {
        try db.run("DELETE FROM promoted_product WHERE bundle_id = $1", [app])
        for (place, product) in products.enumerated() {
            try db.run(
                "INSERT INTO promoted_product (bundle_id, place, product_id) VALUES ($1, $2, $3)",
                [app, place, product]
            )
        }
    }
}

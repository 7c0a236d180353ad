// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension ProductSales {
    /// Adds to the number of a product.
    func add(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO product_sales (environment, bundle_id, product_id, sales) VALUES ($1, $2, $3, $4)
            ON CONFLICT (environment, bundle_id, product_id) DO UPDATE SET sales = product_sales.sales + excluded.sales
            """, [db.environment.rawValue, app, product, sales])
    }

    /// The products of an app that were sold most often, the first before.
    static func top(of app: BundleIdentifier, limit: Int, _ db: StoreTransaction) throws -> [ProductSales] {
        try db.rows(
            """
            SELECT product_id, sales FROM product_sales
            WHERE environment = $1 AND bundle_id = $2 AND sales > 0
            ORDER BY sales DESC, product_id LIMIT $3
            """, [db.environment.rawValue, app, limit]
        ).map { row in ProductSales(app: app, product: try row.get("product_id"), sales: try row.get("sales")) }
    }
}

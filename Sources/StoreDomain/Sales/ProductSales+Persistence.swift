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

    /// The products of an app that were sold most often, in any storefront, and
    /// that are for sale in one: the first before.
    static func top(
        of app: BundleIdentifier, in storefront: Storefront, limit: Int, _ db: StoreTransaction
    ) throws -> [ProductSales] {
        try db.rows(
            """
            SELECT product_sales.product_id, product_sales.sales FROM product_sales JOIN product
                ON product.bundle_id = product_sales.bundle_id AND product.product_id = product_sales.product_id
            WHERE product_sales.environment = $1 AND product_sales.bundle_id = $2 AND product_sales.sales > 0
                AND product.for_sale = 1
                AND NOT EXISTS (
                    SELECT 1 FROM product_exclusion
                    WHERE product_exclusion.bundle_id = $2 AND product_exclusion.product_id = product.product_id
                        AND product_exclusion.storefront = $4)
            ORDER BY product_sales.sales DESC, product_sales.product_id LIMIT $3
            """, [db.environment.rawValue, app, limit, storefront.countryCode]
        ).map { row in ProductSales(app: app, product: try row.get("product_id"), sales: try row.get("sales")) }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Catalogue {
    /// Saves the plan of a product, or removes it from a product that isn't
    /// an auto-renewable subscription any more.
    static func savePlan(of product: Product, _ db: StoreTransaction) throws {
        guard let plan = product.plan else {
            try db.run(
                "DELETE FROM subscription_plan WHERE bundle_id = $1 AND product_id = $2",
                [product.bundleIdentifier, product.productIdentifier])
            return
        }
        try db.run(
            """
            INSERT INTO subscription_plan (bundle_id, product_id, group_id, level, period, contact_bonus)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (bundle_id, product_id) DO UPDATE SET
                group_id = excluded.group_id, level = excluded.level, period = excluded.period,
                contact_bonus = excluded.contact_bonus
            """,
            [
                product.bundleIdentifier, product.productIdentifier, plan.group, plan.level, plan.period.iso8601,
                product.contactBonus?.iso8601,
            ])
    }

    /// The products of a group, the highest level first, whether they are for
    /// sale or not.
    static func products(
        inGroup group: SubscriptionGroupIdentifier, of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [Product] {
        let identifiers: [ProductIdentifier] = try db.rows(
            "SELECT product_id FROM subscription_plan WHERE bundle_id = $1 AND group_id = $2 ORDER BY level, product_id",
            [bundleIdentifier, group]
        ).map { try $0.get("product_id") }
        let products = try products(identifiers, of: bundleIdentifier, db)
        return identifiers.compactMap { products[$0] }
    }
}

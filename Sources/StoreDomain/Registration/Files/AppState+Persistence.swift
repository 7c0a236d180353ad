// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension AppState {
    /// The state of an app, in one committed state if the transaction reads
    /// only or has the catalogue's scope.
    static func load(of app: BundleIdentifier, _ db: StoreTransaction) throws -> AppState {
        let catalogue = try Catalogue.all(of: app, db)
        let rows = try db.rows(
            """
            SELECT product_id, \(ProductRegistration.columns) FROM product WHERE bundle_id = $1
            """, [app])
        let products = Dictionary(catalogue.products.map { ($0.product.productIdentifier, $0.product) }) { one, _ in one
        }
        return AppState(
            products: try rows.compactMap { row in
                try products[try row.get("product_id")].map { try ProductRegistration($0, row) }
            },
            groups: catalogue.groups, gracePeriodDays: catalogue.gracePeriodDays,
            keys: try InAppPurchaseKey.all(of: app, db).filter { $0.bundleIdentifier == app })
    }

    /// Those of some new identifiers that the team can't give to a product of
    /// the app, because it has given them already.
    static func taken(
        _ identifiers: [ProductIdentifier], in team: TeamIdentifier, _ db: StoreTransaction
    ) throws -> Set<ProductIdentifier> {
        try Set(identifiers.filter { try ProductRegistration.isGiven($0, in: team, db) })
    }
}

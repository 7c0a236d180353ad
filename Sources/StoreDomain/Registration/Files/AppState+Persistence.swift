// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension AppState {
    /// The state of an app, in one committed state if the transaction reads
    /// only or has the catalogue's scope.
    static func load(of app: BundleIdentifier, _ db: StoreTransaction) throws -> AppState {
        let version = try version(of: app, db)
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
            groups: catalogue.groups, gracePeriodDays: version.gracePeriodDays, keys: version.keys, version: version)
    }

    /// The version of the state of an app, without the products and groups.
    static func version(of app: BundleIdentifier, _ db: StoreTransaction) throws -> Version {
        let row = try db.row(
            """
            SELECT grace_period_days,
                (SELECT count(*) FROM product WHERE bundle_id = $1) AS products,
                (SELECT CAST(COALESCE(SUM(edit_number), 0) AS BIGINT) FROM product WHERE bundle_id = $1)
                    AS product_edits,
                (SELECT count(*) FROM subscription_group WHERE bundle_id = $1) AS groups_of_app,
                (SELECT CAST(COALESCE(SUM(edit_number), 0) AS BIGINT) FROM subscription_group WHERE bundle_id = $1)
                    AS group_edits
            FROM app WHERE bundle_id = $1
            """, [app])
        guard let row else { throw DomainError(.notFound, "The store has no such app.") }
        return Version(
            products: try row.get("products"), productEdits: try row.get("product_edits"),
            groups: try row.get("groups_of_app"), groupEdits: try row.get("group_edits"),
            gracePeriodDays: try row.get("grace_period_days"),
            keys: try InAppPurchaseKey.all(of: app, db).filter { $0.bundleIdentifier == app })
    }

    private static let given = BatchedStatement(firstPlace: 2) { list in
        """
        SELECT product_id FROM team_product WHERE team_id = $1 AND product_id IN (\(list))
        UNION SELECT product.product_id FROM product JOIN app ON app.bundle_id = product.bundle_id
        WHERE app.team_id = $1 AND product.product_id IN (\(list))
        """
    }

    /// Those of some new identifiers that the team can't give to a product of
    /// the app, because a product of the team has, or had, them.
    static func taken(
        _ identifiers: [ProductIdentifier], in team: TeamIdentifier, _ db: StoreTransaction
    ) throws -> Set<ProductIdentifier> {
        try given.batches(of: identifiers).reduce(into: []) { taken, batch in
            let arguments: [any DatabaseValueConvertible] = [team]
            for row in try db.rows(batch.sql, arguments + batch.values) { taken.insert(try row.get("product_id")) }
        }
    }
}

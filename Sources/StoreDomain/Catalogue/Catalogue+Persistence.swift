// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reading and writing what apps sell.
enum Catalogue {
    static func save(_ app: App, _ connection: any Connection) throws {
        try connection.run(
            """
            INSERT INTO app (bundle_id, name) VALUES ($1, $2)
            ON CONFLICT (bundle_id) DO UPDATE SET name = excluded.name
            """, [app.bundleIdentifier, app.name])
    }

    static func app(_ bundleIdentifier: String, _ connection: any Connection) throws -> App? {
        try connection.row("SELECT bundle_id, name FROM app WHERE bundle_id = $1", [bundleIdentifier])
            .map { App(bundleIdentifier: try $0.get("bundle_id"), name: try $0.get("name")) }
    }

    static func save(_ product: Product, _ connection: any Connection) throws {
        try connection.run(
            """
            INSERT INTO product (bundle_id, product_id, kind, reference_name, family_shareable, for_sale, milliunits)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (bundle_id, product_id) DO UPDATE SET
                kind = excluded.kind, reference_name = excluded.reference_name,
                family_shareable = excluded.family_shareable, for_sale = excluded.for_sale,
                milliunits = excluded.milliunits
            """,
            [
                product.bundleIdentifier, product.productIdentifier, product.kind.rawValue, product.referenceName,
                product.isFamilyShareable, product.isForSale, product.milliunits,
            ])
        let key = [product.bundleIdentifier, product.productIdentifier]
        try connection.run("DELETE FROM product_localization WHERE bundle_id = $1 AND product_id = $2", key)
        for localization in product.localizations {
            try connection.run(
                """
                INSERT INTO product_localization (bundle_id, product_id, locale, title, description)
                VALUES ($1, $2, $3, $4, $5)
                """, key + [localization.locale, localization.title, localization.description])
        }
        try connection.run("DELETE FROM product_price WHERE bundle_id = $1 AND product_id = $2", key)
        for (storefront, milliunits) in product.prices {
            try connection.run(
                "INSERT INTO product_price (bundle_id, product_id, storefront, milliunits) VALUES ($1, $2, $3, $4)",
                [product.bundleIdentifier, product.productIdentifier, storefront, milliunits])
        }
    }

    /// Takes every product of an app off sale that isn't in the list.
    static func withdraw(allBut kept: Set<String>, of bundleIdentifier: String, _ connection: any Connection) throws {
        let rows = try connection.rows(
            "SELECT product_id FROM product WHERE bundle_id = $1 AND for_sale = 1", [bundleIdentifier])
        for row in rows {
            let identifier: String = try row.get("product_id")
            if !kept.contains(identifier) {
                try connection.run(
                    "UPDATE product SET for_sale = 0 WHERE bundle_id = $1 AND product_id = $2",
                    [bundleIdentifier, identifier])
            }
        }
    }

    /// A product of this app, whether it is for sale or not.
    static func product(_ identifier: String, of bundleIdentifier: String, _ connection: any Connection) throws
        -> Product?
    {
        let key = [bundleIdentifier, identifier]
        guard
            let row = try connection.row(
                """
                SELECT kind, reference_name, family_shareable, for_sale, milliunits
                FROM product WHERE bundle_id = $1 AND product_id = $2
                """, key)
        else { return nil }
        let localizations = try connection.rows(
            """
            SELECT locale, title, description FROM product_localization
            WHERE bundle_id = $1 AND product_id = $2 ORDER BY locale
            """, key
        ).map { row in
            Product.Localization(
                locale: try row.get("locale"), title: try row.get("title"), description: try row.get("description"))
        }
        var prices: [String: Int64] = [:]
        for row in try connection.rows(
            "SELECT storefront, milliunits FROM product_price WHERE bundle_id = $1 AND product_id = $2", key)
        {
            prices[try row.get("storefront")] = try row.get("milliunits")
        }
        let exclusions: [String] = try connection.rows(
            "SELECT storefront FROM product_exclusion WHERE bundle_id = $1 AND product_id = $2", key
        ).map { try $0.get("storefront") }
        var product = Product(
            bundleIdentifier: bundleIdentifier, productIdentifier: identifier,
            kind: Product.Kind(rawValue: try row.get("kind")), referenceName: try row.get("reference_name"),
            isFamilyShareable: try row.get("family_shareable"), isForSale: try row.get("for_sale"),
            milliunits: try row.get("milliunits"), prices: prices, localizations: localizations)
        product.exclusions = Set(exclusions)
        return product
    }

    /// Says in which storefronts a product isn't sold.
    static func exclude(
        _ product: Product, from storefronts: Set<String>, _ connection: any Connection
    ) throws {
        try connection.run(
            "DELETE FROM product_exclusion WHERE bundle_id = $1 AND product_id = $2",
            [product.bundleIdentifier, product.productIdentifier])
        for storefront in storefronts.sorted() {
            try connection.run(
                "INSERT INTO product_exclusion (bundle_id, product_id, storefront) VALUES ($1, $2, $3)",
                [product.bundleIdentifier, product.productIdentifier, storefront])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension WriteScope {
    /// The rows of an app's catalogue, which all writes of it have as their
    /// scope: each of them sees one committed state of the catalogue.
    static func catalogue(of app: BundleIdentifier) -> WriteScope { .key("catalogue \(app)") }
}

extension Catalogue {
    /// Saves an app without its grace period, which stays as it is. The name
    /// of an app that was changed in Connect stays too. A new app has the
    /// number of its item, if it has one.
    static func save(_ app: App, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO app (bundle_id, name, registered_at, apple_id)
            VALUES ($1, $2, $3, (SELECT item.item_id FROM item WHERE item.bundle_id = $1))
            ON CONFLICT (bundle_id) DO UPDATE SET
                name = CASE WHEN app.registration_number > 0 THEN app.name ELSE excluded.name END
            """, [app.bundleIdentifier, app.name, db.now.milliseconds])
    }

    static func app(_ bundleIdentifier: BundleIdentifier, _ db: StoreTransaction) throws -> App? {
        try db.row("SELECT bundle_id, name, grace_period_days FROM app WHERE bundle_id = $1", [bundleIdentifier])
            .map { row in
                var app = App(bundleIdentifier: try row.get("bundle_id"), name: try row.get("name"))
                app.gracePeriodDays = try row.get("grace_period_days")
                return app
            }
    }

    /// Sets the grace period of an app's subscriptions: 0, 3, 16 or 28 days;
    /// `false` when there is no such app.
    @discardableResult
    static func setGracePeriod(days: Int, of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction) throws -> Bool
    {
        try db.run("UPDATE app SET grace_period_days = $2 WHERE bundle_id = $1", [bundleIdentifier, days]) == 1
    }

    /// Saves a product with its plan, texts and prices, and counts the edit.
    /// The storefronts in which it isn't sold stay as they are. The group of
    /// a plan is saved before. A price is one, a file's product is approved,
    /// and the file says whether it is sold.
    static func save(_ product: Product, by source: ProductEdit.Source, _ db: StoreTransaction) throws {
        try SharingChange.note(product, db)
        try noteReach(of: product.productIdentifier, in: product.bundleIdentifier, by: source, db)
        try db.run(
            """
            INSERT INTO product (
                bundle_id, product_id, kind, reference_name, family_shareable, for_sale, milliunits, pricing,
                edit_source, offers, edit_number, registered_at, bytes
            )
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, $11, $12)
            ON CONFLICT (bundle_id, product_id) DO UPDATE SET
                kind = excluded.kind, reference_name = excluded.reference_name,
                family_shareable = excluded.family_shareable, for_sale = excluded.for_sale,
                milliunits = excluded.milliunits, pricing = excluded.pricing, edit_source = excluded.edit_source,
                offers = excluded.offers, bytes = excluded.bytes,
                edit_number = product.edit_number + 1, has_price = 1,
                is_cleared = CASE WHEN excluded.edit_source = 'file' THEN NULL ELSE product.is_cleared END,
                review_state = CASE WHEN excluded.edit_source = 'file' THEN 'approved' ELSE product.review_state END,
                submitted_at = CASE WHEN excluded.edit_source = 'file' THEN NULL ELSE product.submitted_at END
            """,
            [
                product.bundleIdentifier, product.productIdentifier, product.kind.rawValue, product.referenceName,
                product.isFamilyShareable, product.isForSale, product.milliunits, product.pricing.number,
                source.rawValue, try product.offers.stored, db.now.milliseconds,
                product.bytes,
            ])
        try savePlan(of: product, db)
        try saveTextsAndPrices(of: product, db)
    }

    /// Decides when the change that this transaction is about to save reaches
    /// the store: a seller's after the propagation delay, all others now,
    /// together with those before it.
    private static func noteReach(
        of identifier: ProductIdentifier, in app: BundleIdentifier, by source: ProductEdit.Source,
        _ db: StoreTransaction
    ) throws {
        if source == .seller {
            try FormerProduct.keep(identifier, of: app, db)
        } else {
            try FormerProduct.forget(identifier, of: app, db)
        }
    }

    private static func saveTextsAndPrices(of product: Product, _ db: StoreTransaction) throws {
        let key: [any DatabaseValueConvertible] = [product.bundleIdentifier, product.productIdentifier]
        try db.run("DELETE FROM product_localization WHERE bundle_id = $1 AND product_id = $2", key)
        for localization in product.localizations {
            try db.run(
                """
                INSERT INTO product_localization (bundle_id, product_id, locale, title, description)
                VALUES ($1, $2, $3, $4, $5)
                """, key + [localization.locale, localization.title, localization.description])
        }
        try db.run("DELETE FROM product_price WHERE bundle_id = $1 AND product_id = $2", key)
        for (storefront, milliunits) in product.prices.sorted(by: { $0.key < $1.key }) {
            try db.run(
                "INSERT INTO product_price (bundle_id, product_id, storefront, milliunits) VALUES ($1, $2, $3, $4)",
                [product.bundleIdentifier, product.productIdentifier, storefront, milliunits])
        }
    }

    /// Takes a product off sale, as its app's configuration file does.
    static func withdraw(
        _ identifier: ProductIdentifier, of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws {
        try noteReach(of: identifier, in: bundleIdentifier, by: .file, db)
        try db.run(
            """
            UPDATE product SET for_sale = 0, is_cleared = NULL, edit_source = $3, edit_number = edit_number + 1
            WHERE bundle_id = $1 AND product_id = $2
            """, [bundleIdentifier, identifier, ProductEdit.Source.file.rawValue])
    }

    /// Counts an edit of a product, and sets its source.
    static func noteEdit(
        of identifier: ProductIdentifier, in bundleIdentifier: BundleIdentifier, by source: ProductEdit.Source,
        _ db: StoreTransaction
    ) throws {
        try noteReach(of: identifier, in: bundleIdentifier, by: source, db)
        try db.run(
            """
            UPDATE product SET edit_source = $3, edit_number = edit_number + 1
            WHERE bundle_id = $1 AND product_id = $2
            """, [bundleIdentifier, identifier, source.rawValue])
    }

    /// A product of this app as it was saved last, also when its changes
    /// haven't reached the store yet. A change begins with it.
    static func saved(
        _ identifier: ProductIdentifier, of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> Product? {
        try saved([identifier], of: bundleIdentifier, db)[identifier]
    }

    /// A product of this app as the store sells it now, whether it is for sale
    /// or not.
    static func product(_ identifier: ProductIdentifier, of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction)
        throws -> Product?
    {
        try products([identifier], of: bundleIdentifier, db)[identifier]
    }

    /// A product that the catalogue must have, as it was saved last.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    static func known(
        _ identifier: ProductIdentifier, of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> Product {
        guard let product = try saved(identifier, of: bundleIdentifier, db) else {
            throw unknown(identifier, of: bundleIdentifier)
        }
        return product
    }

    /// A product that the store must have, as it sells it now.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    static func offered(
        _ identifier: ProductIdentifier, of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> Product {
        guard let product = try product(identifier, of: bundleIdentifier, db) else {
            throw unknown(identifier, of: bundleIdentifier)
        }
        return product
    }

    private static func unknown(
        _ identifier: ProductIdentifier, of bundleIdentifier: BundleIdentifier
    ) -> DomainError {
        DomainError(.notFound, "\(bundleIdentifier) has no product \"\(identifier)\".")
    }

    /// The app's products that have one of the identifiers, as the store sells
    /// them now, whether they are for sale or not.
    static func products(
        _ identifiers: [ProductIdentifier], of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [ProductIdentifier: Product] {
        try FormerProduct.reached(try saved(identifiers, of: bundleIdentifier, db), of: bundleIdentifier, db)
    }

    /// The app's products that have one of the identifiers, as they were saved
    /// last.
    ///
    /// One statement reads a product, because at READ COMMITTED an import of
    /// the catalogue may commit between two statements. The customer could
    /// then be charged a price that neither catalogue contains.
    private static func saved(
        _ identifiers: [ProductIdentifier], of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [ProductIdentifier: Product] {
        var products: [ProductIdentifier: Product] = [:]
        for batch in ProductPart.ofProducts.batches(of: identifiers) {
            let arguments: [any DatabaseValueConvertible] = [bundleIdentifier, db.now.milliseconds]
            let parts = try db.rows(batch.sql, arguments + batch.values).map(ProductPart.init)
            for (identifier, parts) in Dictionary(grouping: parts, by: \.product) {
                products[identifier] = try Product(
                    parts, identifier: identifier, bundleIdentifier: bundleIdentifier, in: db.environment)
            }
        }
        return products
    }

    /// The catalogue of an app, in one committed state if the transaction
    /// reads only or has the catalogue's scope.
    static func all(of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction) throws -> AppCatalogue {
        AppCatalogue(
            products: try products(of: bundleIdentifier, db),
            groups: try SubscriptionGroup.all(of: bundleIdentifier, db),
            gracePeriodDays: try app(bundleIdentifier, db)?.gracePeriodDays ?? 0)
    }

    /// All products of an app with their last edits.
    private static func products(of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction) throws
        -> [CataloguedProduct]
    {
        let rows = try db.rows(ProductPart.ofApp, [bundleIdentifier, db.now.milliseconds])
        let parts = Dictionary(grouping: try rows.map(ProductPart.init), by: \.product)
        let edits = try db.rows(
            "SELECT product_id, edit_source, edit_number FROM product WHERE bundle_id = $1", [bundleIdentifier])
        return try edits.compactMap { row in
            let identifier: ProductIdentifier = try row.get("product_id")
            let edit = ProductEdit(
                source: ProductEdit.Source(rawValue: try row.get("edit_source")), number: try row.get("edit_number"))
            return try Product(
                parts[identifier] ?? [], identifier: identifier, bundleIdentifier: bundleIdentifier, in: db.environment
            )
            .map { CataloguedProduct(product: $0, edit: edit) }
        }
    }

    /// Replaces the storefronts in which a product isn't sold, and counts the
    /// edit.
    static func exclude(
        _ product: Product, from storefronts: Set<String>, by source: ProductEdit.Source, _ db: StoreTransaction
    ) throws {
        try noteEdit(of: product.productIdentifier, in: product.bundleIdentifier, by: source, db)
        try saveExclusions(of: product, storefronts, db)
        var changed = product
        changed.exclusions = storefronts
        try db.run(
            "UPDATE product SET bytes = $3 WHERE bundle_id = $1 AND product_id = $2",
            [product.bundleIdentifier, product.productIdentifier, changed.bytes])
    }

    /// Replaces the storefronts in which a product isn't sold, as a part of
    /// another edit.
    static func saveExclusions(of product: Product, _ storefronts: Set<String>, _ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM product_exclusion WHERE bundle_id = $1 AND product_id = $2",
            [product.bundleIdentifier, product.productIdentifier])
        for storefront in storefronts.sorted() {
            try db.run(
                "INSERT INTO product_exclusion (bundle_id, product_id, storefront) VALUES ($1, $2, $3)",
                [product.bundleIdentifier, product.productIdentifier, storefront])
        }
    }
}

/// A row of a statement that reads products: the product with its offers, its
/// plan, or one of its texts, prices or exclusions.
private struct ProductPart {
    var part: String
    var product: ProductIdentifier
    var name: String
    var title: String
    var description: String
    /// A price in thousandths, or a plan's level.
    var number: Int64
    var pricing: Int
    var isFamilyShareable: Bool
    var isForSale: Bool
    var isApproved: Bool
    var hasContract: Bool
    var isHeld: Bool

    init(_ row: Row) throws {
        part = try row.get("part")
        product = try row.get("product_id")
        name = try row.get("name")
        title = try row.get("title")
        description = try row.get("description")
        number = try row.get("number")
        pricing = try row.get("pricing")
        isFamilyShareable = try row.get("family_shareable")
        isForSale = try row.get("for_sale")
        isApproved = try row.get("approved")
        hasContract = try row.get("contract")
        isHeld = try row.get("held")
    }

    static let ofApp = statement(where: "bundle_id = $1")
    static let ofProducts = BatchedStatement(firstPlace: 3) { list in
        statement(where: "bundle_id = $1 AND product_id IN (\(list))")
    }

    /// The statement with the time as its second parameter.
    private static func statement(where condition: String) -> String {
        """
        SELECT product_id, 'product' AS part, kind AS name, reference_name AS title,
            COALESCE(offers, '') AS description, milliunits AS number, pricing, family_shareable, for_sale,
            CAST(CASE WHEN review_state = 'approved' THEN 1 ELSE 0 END AS BIGINT) AS approved,
            CAST(\(Contract.isInForce(forProductOf: "product", now: "$2")) AS BIGINT) AS contract,
            CAST(\(Item.isHeld(forProductOf: "product", now: "$2")) AS BIGINT) AS held
        FROM product WHERE \(condition)
        UNION ALL SELECT product_id, 'localization', locale, title, description, 0, 0, 0, 0, 0, 0, 0
        FROM product_localization WHERE \(condition)
        UNION ALL SELECT product_id, 'price', storefront, '', '', milliunits, 0, 0, 0, 0, 0, 0
        FROM product_price WHERE \(condition)
        UNION ALL SELECT product_id, 'plan', group_id, period, COALESCE(contact_bonus, ''), level, 0, 0, 0, 0, 0, 0
        FROM subscription_plan WHERE \(condition)
        UNION ALL SELECT product_id, 'exclusion', storefront, '', '', 0, 0, 0, 0, 0, 0, 0
        FROM product_exclusion WHERE \(condition)
        ORDER BY 2, 3
        """
    }
}

extension Product {
    /// Makes a product of its rows; `nil` when the product itself is missing.
    fileprivate init?(
        _ rows: [ProductPart], identifier: ProductIdentifier, bundleIdentifier: BundleIdentifier,
        in environment: StoreEnvironment
    ) throws {
        let parts = Dictionary(grouping: rows, by: \.part)
        guard let main = parts["product"]?.first else { return nil }
        self.init(
            bundleIdentifier: bundleIdentifier, productIdentifier: identifier,
            kind: Kind(rawValue: main.name), referenceName: main.title,
            isFamilyShareable: main.isFamilyShareable, isForSale: main.isForSale, milliunits: main.number,
            prices: Dictionary((parts["price"] ?? []).map { ($0.name, $0.number) }) { first, _ in first },
            localizations: (parts["localization"] ?? []).map {
                Localization(locale: $0.name, title: $0.title, description: $0.description)
            })
        isWithheld = environment == .production && !main.isApproved
        lacksContract = environment == .production && !main.hasContract
        isHeld = main.isHeld
        pricing = Pricing(number: main.pricing)
        offers = try [Offer](stored: main.description)
        exclusions = Set((parts["exclusion"] ?? []).map(\.name))
        plan = try parts["plan"]?.first.map { part in
            guard let period = SubscriptionPeriod(iso8601: part.title) else {
                throw DatabaseError(.column, "The period \"\(part.title)\" of the product \(identifier) can't be read.")
            }
            return Plan(group: SubscriptionGroupIdentifier(part.name), level: Int(part.number), period: period)
        }
        contactBonus = parts["plan"]?.first.flatMap { SubscriptionPeriod(iso8601: $0.description) }
    }
}

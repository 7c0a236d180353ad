// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Item {
    private static let columns = "item_id, kind, bundle_id, seller, version, link, team_id, edit_number, available_at"

    /// The item of an identifier; `nil` when there is none.
    static func find(_ identifier: Int64, _ db: StoreTransaction) throws -> Item? {
        guard let row = try db.row("SELECT \(columns) FROM item WHERE item_id = $1", [identifier]) else { return nil }
        return try items([row], db).first
    }

    /// The part of a statement that is the identifier of the item of a product
    /// of ``catalogue``, and NULL for a product with another identifier, of
    /// which PostgreSQL makes no number.
    static func identifier(ofProductOf table: String) -> String {
        """
        CASE WHEN ltrim(\(table).product_id, '0123456789') = '' AND length(\(table).product_id) BETWEEN 1 AND 16
            THEN CAST(\(table).product_id AS BIGINT) END
        """
    }

    /// A column of a product's statement: 1 for the product of an item that
    /// isn't sold yet (``hold(at:)``), 0 for every other product.
    static func isHeld(forProductOf table: String, now: String) -> String {
        """
        CASE WHEN \(table).bundle_id = '\(catalogue)' THEN COALESCE((
            SELECT CASE WHEN item.version = '' OR item.available_at > \(now) THEN 1 ELSE 0 END
            FROM item WHERE item.item_id = \(identifier(ofProductOf: table))), 0) ELSE 0 END
        """
    }

    /// The app that an item is; `nil` for another medium.
    static func app(of identifier: Int64, _ db: StoreTransaction) throws -> BundleIdentifier? {
        try db.row("SELECT bundle_id FROM item WHERE item_id = $1 AND bundle_id IS NOT NULL", [identifier])?
            .get("bundle_id")
    }

    /// The item of an app; `nil` when there is none.
    static func find(app: BundleIdentifier, _ db: StoreTransaction) throws -> Item? {
        guard let row = try db.row("SELECT \(columns) FROM item WHERE bundle_id = $1", [app]) else { return nil }
        return try items([row], db).first
    }

    /// The item of a product; `nil` for a product of an app.
    static func bought(
        _ product: ProductIdentifier?, in bundle: BundleIdentifier, _ db: StoreTransaction
    ) throws -> Item? {
        guard bundle == catalogue, let identifier = product.flatMap({ Int64($0.rawValue) }) else { return nil }
        return try find(identifier, db)
    }

    /// The app of a product, with the name that pages show: the seller's for
    /// an item, and the last part of the bundle identifier for an app that
    /// isn't registered.
    static func seller(
        of product: ProductIdentifier?, in bundle: BundleIdentifier, _ db: StoreTransaction
    ) throws -> App {
        if let item = try bought(product, in: bundle, db) { return App(bundleIdentifier: bundle, name: item.seller) }
        return try Catalogue.app(bundle, db) ?? App(bundleIdentifier: bundle, name: App.name(of: bundle))
    }

    /// The items after an identifier, in the order of their identifiers.
    static func list(after last: Int64, limit: Int, _ db: StoreTransaction) throws -> [Item] {
        let rows = try db.rows(
            "SELECT \(columns) FROM item WHERE item_id > $1 ORDER BY item_id LIMIT $2", [last, limit])
        return try items(rows, db)
    }

    private static func items(_ rows: [Row], _ db: StoreTransaction) throws -> [Item] {
        let identifiers: [Int64] = try rows.map { try $0.get("item_id") }
        let products = try Catalogue.products(identifiers.map(product), of: catalogue, db)
        return try zip(identifiers, rows).compactMap { identifier, row in
            guard let product = products[product(of: identifier)] else { return nil }
            var item = Item(
                identifier: identifier, kind: Kind(rawValue: try row.get("kind")) ?? .app,
                app: try row.get("bundle_id"), seller: try row.get("seller"), version: try row.get("version"),
                link: try row.get("link"), product: product)
            item.team = try row.get("team_id")
            item.edits = try row.get("edit_number")
            let available: Int64? = try row.get("available_at")
            item.available = available.map(WallTime.init(milliseconds:))
            return item
        }
    }

    /// Saves an item without its product. One that exists keeps its team, but
    /// that of an app has the app's.
    func save(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO item (item_id, kind, bundle_id, seller, version, link, added_at, team_id, available_at, name)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            ON CONFLICT (item_id) DO UPDATE SET
                kind = excluded.kind, bundle_id = excluded.bundle_id, seller = excluded.seller,
                version = excluded.version, link = excluded.link, name = excluded.name,
                edit_number = item.edit_number + 1, available_at = excluded.available_at,
                team_id = CASE WHEN excluded.bundle_id IS NULL THEN item.team_id ELSE excluded.team_id END
            """,
            [
                identifier, kind.rawValue, app, seller, version, link, db.now.milliseconds, team,
                available?.milliseconds, product.referenceName,
            ])
    }

    /// Sets the version that is sold, in the transaction of its release. Forms
    /// don't have it, so that it is no change of the item.
    static func setVersion(_ version: String, ofApp app: BundleIdentifier, _ db: StoreTransaction) throws {
        try db.run("UPDATE item SET version = $2 WHERE bundle_id = $1", [app, version])
    }

    /// Whether a team has so many items that aren't apps.
    static func has(_ count: Int, of team: TeamIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.row(
            "SELECT item_id FROM item WHERE team_id = $1 AND kind <> $2 ORDER BY item_id LIMIT 1 OFFSET $3",
            [team, Kind.app.rawValue, count - 1]) != nil
    }

    /// An item of a team that isn't an app.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    static func known(_ identifier: Int64, of team: TeamIdentifier, _ db: StoreTransaction) throws -> Item {
        guard let item = try find(identifier, db), item.team == team, item.kind != .app else {
            throw unknown(identifier)
        }
        return item
    }

    /// The item of a team at a place.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    static func known(_ place: Place, of team: TeamIdentifier, _ db: StoreTransaction) throws -> Item {
        switch place {
        case .item(let identifier): return try known(identifier, of: team, db)
        case .app(let app):
            _ = try AppRegistration.known(app, of: team, db)
            guard let item = try find(app: app, db) else {
                throw DomainError(.notFound, "The app has no store page yet: save its texts first.")
            }
            return item
        }
    }

    /// Whether no item and no app has a number, which is drawn for another one.
    static func isFree(_ identifier: Int64, _ db: StoreTransaction) throws -> Bool {
        let item = try find(identifier, db)
        return try item == nil && AppRegistration.app(numbered: identifier, db) == nil
    }

    /// Saves the item with its product.
    func saveWhole(_ db: StoreTransaction) throws {
        try Catalogue.save(App(bundleIdentifier: Item.catalogue, name: "Items"), db)
        try Catalogue.save(product, by: .operator, db)
        try Catalogue.saveExclusions(of: product, product.exclusions, db)
        try save(db)
    }
}

extension ItemGallery {
    /// Replaces the images of an item.
    func save(of item: Int64, _ db: StoreTransaction) throws {
        try db.run("DELETE FROM item_artwork WHERE item_id = $1", [item])
        let images = [(0, icon)] + screenshots.enumerated().map { ($0 + 1, $1) }
        for case (let place, let image?) in images {
            try db.run(
                "INSERT INTO item_artwork (item_id, place, digest, type, bytes) VALUES ($1, $2, $3, $4, $5)",
                [item, place, image.digest, image.type, image.bytes])
        }
    }
}

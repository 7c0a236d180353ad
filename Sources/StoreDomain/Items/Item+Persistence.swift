// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Item {
    private static let columns = "item_id, kind, bundle_id, seller, version, link"

    /// The item of an identifier; `nil` when there is none.
    static func find(_ identifier: Int64, _ db: StoreTransaction) throws -> Item? {
        guard let row = try db.row("SELECT \(columns) FROM item WHERE item_id = $1", [identifier]) else { return nil }
        return try items([row], db).first
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
            return Item(
                identifier: identifier, kind: Kind(rawValue: try row.get("kind")) ?? .app,
                app: try row.get("bundle_id"), seller: try row.get("seller"), version: try row.get("version"),
                link: try row.get("link"), product: product)
        }
    }

    /// Saves an item without its product.
    func save(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO item (item_id, kind, bundle_id, seller, version, link, added_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (item_id) DO UPDATE SET
                kind = excluded.kind, bundle_id = excluded.bundle_id, seller = excluded.seller,
                version = excluded.version, link = excluded.link
            """, [identifier, kind.rawValue, app, seller, version, link, db.now.milliseconds])
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

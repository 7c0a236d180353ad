// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase

extension FormerProduct {
    private static let ofProducts = BatchedStatement(firstPlace: 3) { list in
        """
        SELECT product_id, contents FROM former_product AS former
        WHERE bundle_id = $1 AND product_id IN (\(list)) AND edit_number = (
            SELECT min(edit_number) FROM former_product AS other
            WHERE other.bundle_id = $1 AND other.product_id = former.product_id AND other.replaced_at > $2)
        """
    }

    /// The products as the store sells them: those with changes that haven't
    /// reached the store yet as they were before the first of these changes.
    ///
    /// `products` are read before in the same transaction. At READ COMMITTED
    /// a change that commits between the two reads has then a row here, or
    /// isn't in `products`.
    static func reached(
        _ products: [ProductIdentifier: Product], of app: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [ProductIdentifier: Product] {
        let delay = db.propagation.delay(in: db.environment)
        guard delay > .zero, !products.isEmpty else { return products }
        let limit = db.now - delay
        var reached = products
        for batch in ofProducts.batches(of: products.keys) {
            let arguments: [any DatabaseValueConvertible] = [app, limit.milliseconds]
            for row in try db.rows(batch.sql, arguments + batch.values) {
                let identifier: ProductIdentifier = try row.get("product_id")
                let contents: String? = try row.get("contents")
                reached[identifier] = try contents.flatMap { contents in
                    try products[identifier].map {
                        try FormerProduct(stored: contents).product(of: $0, in: db.environment)
                    }
                }
            }
        }
        return reached
    }

    /// The most rows of a product. Equal delays make about a hundred.
    private static let most = 200

    /// Keeps a product as it is before a seller's change of this transaction,
    /// if changes have a delay.
    ///
    /// A change that follows the last kept one within a fiftieth of the delay
    /// reaches the store with it, and so does one after ``most`` rows, which a product has where one environment's delay is much
    /// longer than the other's. Rows of which nothing is sold any more are deleted.
    static func keep(
        _ identifier: ProductIdentifier, of app: BundleIdentifier, _ db: StoreTransaction
    ) throws {
        guard let shortest = db.propagation.delays.first, let longest = db.propagation.delays.last else { return }
        if let newest = try newest(of: identifier, in: app, db), newest > db.now - shortest / 50 { return }
        // Twice the delay, because the clocks of two nodes may differ.
        try db.run(
            "DELETE FROM former_product WHERE bundle_id = $1 AND product_id = $2 AND replaced_at < $3",
            [app, identifier, (db.now - longest * 2).milliseconds])
        let isFull = try db.row(
            "SELECT 1 AS n FROM former_product WHERE bundle_id = $1 AND product_id = $2 LIMIT 1 OFFSET $3",
            [app, identifier, most - 1])
        guard isFull == nil else { return }
        let row = try db.row(
            "SELECT review_state, edit_number FROM product WHERE bundle_id = $1 AND product_id = $2",
            [app, identifier])
        let present = try Catalogue.saved(identifier, of: app, db)
        let state: String? = try row?.get("review_state")
        let contents = try present.map {
            try FormerProduct($0, isApproved: state == ProductReview.State.approved.rawValue).stored
        }
        let number: Int64 = try row?.get("edit_number") ?? 0
        try db.run(
            """
            INSERT INTO former_product (bundle_id, product_id, edit_number, replaced_at, contents)
            VALUES ($1, $2, $3, $4, $5) ON CONFLICT (bundle_id, product_id, edit_number) DO NOTHING
            """, [app, identifier, number, db.now.milliseconds, contents])
    }

    /// Lets all changes of a product reach the store: the operator or a file
    /// changes it now.
    static func forget(
        _ identifier: ProductIdentifier, of app: BundleIdentifier, _ db: StoreTransaction
    ) throws {
        try db.run("DELETE FROM former_product WHERE bundle_id = $1 AND product_id = $2", [app, identifier])
    }

    /// When all changes of a product will have reached each environment; those
    /// that they have reached are left out.
    static func arrivals(
        of identifier: ProductIdentifier, in app: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [StoreEnvironment: WallTime] {
        guard let changed = try newest(of: identifier, in: app, db) else { return [:] }
        let arrivals = [StoreEnvironment.production, .sandbox].map { environment in
            (environment, changed + db.propagation.delay(in: environment))
        }
        return Dictionary(uniqueKeysWithValues: arrivals.filter { $0.1 > db.now })
    }

    /// When the last kept change was made; `nil` without one.
    private static func newest(
        of identifier: ProductIdentifier, in app: BundleIdentifier, _ db: StoreTransaction
    ) throws -> WallTime? {
        let milliseconds: Int64? = try db.row(
            """
            SELECT replaced_at FROM former_product WHERE bundle_id = $1 AND product_id = $2
            ORDER BY edit_number DESC LIMIT 1
            """, [app, identifier])?.get("replaced_at")
        return milliseconds.map(WallTime.init(milliseconds:))
    }

    private var stored: String {
        get throws { try SortedJSON.text(self) }
    }

    private init(stored text: String) throws {
        do {
            self = try JSONDecoder().decode(FormerProduct.self, from: Data(text.utf8))
        } catch {
            throw DatabaseError(.column, "A former product can't be read.")
        }
    }
}

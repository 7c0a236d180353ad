// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension ProductRegistration {
    /// A product of an app, whether it is sold or not.
    static func find(
        _ identifier: ProductIdentifier, of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> ProductRegistration? {
        let row = try db.row(
            """
            SELECT \(columns) FROM product WHERE bundle_id = $1 AND product_id = $2
            """, [bundleIdentifier, identifier])
        guard let row, let product = try Catalogue.saved(identifier, of: bundleIdentifier, db) else { return nil }
        return try ProductRegistration(product, row)
    }

    /// The columns of a statement about the table that ``init(_:_:)`` reads.
    static let columns = """
        has_price, is_cleared, review_state, review_note, review_reason, submitted_at, edit_number,
        (SELECT count(*) FROM registration_image AS image
        WHERE image.bundle_id = product.bundle_id AND image.product_id = product.product_id
            AND image.purpose = 'review') AS screenshots
        """

    init(_ product: Product, _ row: Row) throws {
        let screenshots: Int = try row.get("screenshots")
        self.init(
            product: product, hasPrice: try row.get("has_price"),
            isCleared: try row.get("is_cleared") ?? product.isForSale, review: try ProductReview(row),
            reviewNote: try row.get("review_note") ?? "", hasScreenshot: screenshots > 0,
            version: try row.get("edit_number"))
    }

    /// A product of an app of a team.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    static func known(
        _ identifier: ProductIdentifier, of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> ProductRegistration {
        guard let found = try find(identifier, of: bundleIdentifier, db) else {
            throw DomainError(.notFound, "The app has no such product.")
        }
        return found
    }

    /// Whether a product of a team has an identifier.
    static func isTaken(
        _ identifier: ProductIdentifier, in team: TeamIdentifier, _ db: StoreTransaction
    ) throws -> Bool {
        try db.row(
            """
            SELECT product.bundle_id FROM product JOIN app ON app.bundle_id = product.bundle_id
            WHERE product.product_id = $1 AND app.team_id = $2 LIMIT 1
            """, [identifier, team]) != nil
    }

    /// The first product of an app that is for sale; `nil` when none is.
    static func sold(of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction) throws -> ProductIdentifier? {
        try db.row(
            "SELECT product_id FROM product WHERE bundle_id = $1 AND for_sale = 1 ORDER BY product_id LIMIT 1",
            [bundleIdentifier])?.get("product_id")
    }

    static func count(of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction) throws -> Int {
        try db.row("SELECT count(*) AS n FROM product WHERE bundle_id = $1", [bundleIdentifier])?.get("n") ?? 0
    }

    /// Takes the identifier for the team.
    ///
    /// - Throws: `DatabaseError` with the constraint `team_product_pkey` when a
    ///   product of the team has, or had, the identifier.
    func claim(for team: TeamIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            "INSERT INTO team_product (team_id, product_id, bundle_id) VALUES ($1, $2, $3)",
            [team, product.productIdentifier, product.bundleIdentifier])
    }

    /// Saves the product as the store sells it, its countries, and the values
    /// that only Connect has.
    func save(_ db: StoreTransaction) throws {
        try Catalogue.save(decided, by: .seller, db)
        try Catalogue.saveExclusions(of: product, product.exclusions, db)
        try db.run(
            """
            UPDATE product SET
                has_price = $3, is_cleared = $4, review_state = $5, review_note = $6, review_reason = $7,
                submitted_at = $8
            WHERE bundle_id = $1 AND product_id = $2
            """,
            [
                product.bundleIdentifier, product.productIdentifier, hasPrice, isCleared, review.state.rawValue,
                reviewNote, review.reason, review.submitted?.milliseconds,
            ])
    }
}

extension ProductReview {
    init(_ row: Row) throws {
        let submitted: Int64? = try row.get("submitted_at")
        self.init(
            state: State(rawValue: try row.get("review_state")) ?? .prepared, reason: try row.get("review_reason"),
            submitted: submitted.map { WallTime(milliseconds: $0) })
    }

    /// Counts a change of a product in the queue that isn't one of its own
    /// values, so that a decision about the earlier state is refused.
    static func noteChange(
        of product: ProductIdentifier, in app: BundleIdentifier, _ db: StoreTransaction
    ) throws {
        try db.run(
            """
            UPDATE product SET edit_number = edit_number + 1
            WHERE bundle_id = $1 AND product_id = $2 AND submitted_at IS NOT NULL
            """, [app, product])
    }
}

/// A product in a list.
package struct ListedProduct: Hashable, Sendable {
    package var identifier: ProductIdentifier
    package var referenceName: String
    package var kind: Product.Kind
    package var isForSale: Bool

    /// The products of an app that follow a place in an order.
    static func page(
        of bundleIdentifier: BundleIdentifier, by sort: ProductSort, after place: ListPlace?, limit: Int,
        _ db: StoreTransaction
    ) throws -> [PlacedEntry<ListedProduct>] {
        let sorting = sort.sorting
        return try db.rows(
            """
            SELECT product_id, reference_name, kind, for_sale, registered_at FROM product
            WHERE bundle_id = $1 AND \(sorting.condition(from: 3)) ORDER BY \(sorting.terms) LIMIT $2
            """, [bundleIdentifier, limit] + sorting.arguments(after: place)
        ).map { row in
            let product = ListedProduct(
                identifier: try row.get("product_id"), referenceName: try row.get("reference_name"),
                kind: Product.Kind(rawValue: try row.get("kind")), isForSale: try row.get("for_sale"))
            return PlacedEntry(value: product, place: try sorting.place(row))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists the contacts that customers have shared with the seller of an app.
package struct ListingContacts: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The largest number of contacts that a call returns.
    package static let pageSize = 200

    /// A contact with the purchase for which it was shared.
    package struct Listed: Hashable, Sendable {
        /// The name, the address and the postcode.
        package var contact: SharedContact
        /// The purchase with which the customer has shared the contact.
        package var transaction: TransactionIdentifier
        /// The product of that purchase.
        package var product: ProductIdentifier
        /// When the purchase was made.
        package var shared: WallTime

        /// The contact's place in the list.
        package var position: Position { Position(shared: shared, transaction: transaction) }
    }

    /// A place in the list, by time and then by transaction.
    package struct Position: Hashable, Sendable {
        package var shared: WallTime
        package var transaction: TransactionIdentifier

        package init(shared: WallTime, transaction: TransactionIdentifier) {
            self.shared = shared
            self.transaction = transaction
        }
    }

    /// The contacts after a place, oldest first, at most ``pageSize``.
    ///
    /// - Throws: ``DomainError`` `notFound` for an unknown app.
    package func callAsFunction(
        of bundleIdentifier: BundleIdentifier, after last: Position? = nil
    ) async throws -> [Listed] {
        try await read { db in
            guard try Catalogue.app(bundleIdentifier, db) != nil else {
                throw DomainError(.notFound, "The store has no app \(bundleIdentifier).")
            }
            return try Self.page(of: bundleIdentifier, after: last, limit: Self.pageSize, db)
        }
    }

    /// The contacts of an app after a place.
    static func page(
        of bundleIdentifier: BundleIdentifier, after last: Position?, limit: Int, _ db: StoreTransaction
    ) throws -> [Listed] {
        try db.rows(
            """
            SELECT transaction_id, product_id, name, email, postcode, shared_at FROM shared_contact
            WHERE environment = $1 AND bundle_id = $2 AND (shared_at, transaction_id) > ($3, $4)
            ORDER BY shared_at, transaction_id LIMIT $5
            """,
            [
                db.environment.rawValue, bundleIdentifier, last?.shared.milliseconds ?? .min,
                last?.transaction ?? "", limit,
            ]
        ).map(Listed.init)
    }
}

extension ListingContacts.Position {
    /// The place in an address: `1700000000000-2000000000000001`.
    package var text: String { "\(shared.milliseconds)-\(transaction)" }

    /// Reads a place of an address; `nil` for another text.
    package init?(text: String) {
        let parts = text.split(separator: "-", maxSplits: 1).map(String.init)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), parts[1].utf8.count <= 64 else { return nil }
        self.init(shared: WallTime(milliseconds: milliseconds), transaction: TransactionIdentifier(parts[1]))
    }
}

extension ListingContacts.Listed {
    fileprivate init(_ row: Row) throws {
        self.init(
            contact: try SharedContact(row), transaction: try row.get("transaction_id"),
            product: try row.get("product_id"), shared: WallTime(milliseconds: try row.get("shared_at")))
    }
}

extension SharedContact {
    fileprivate init(_ row: Row) throws {
        name = try row.get("name")
        email = try row.get("email")
        postcode = try row.get("postcode")
    }
}

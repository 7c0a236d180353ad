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
            return try db.rows(
                """
                SELECT transaction_id, product_id, name, email, postcode, shared_at FROM shared_contact
                WHERE environment = $1 AND bundle_id = $2 AND (shared_at, transaction_id) > ($3, $4)
                ORDER BY shared_at, transaction_id LIMIT $5
                """,
                [
                    db.environment.rawValue, bundleIdentifier, last?.shared.milliseconds ?? .min,
                    last?.transaction ?? "", Self.pageSize,
                ]
            ).map(Listed.init)
        }
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

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists the items of the catalogue.
package struct ListingItems: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The largest number of items of a page.
    package static let pageSize = 200

    /// The items after an identifier, in the order of their identifiers, at
    /// most ``pageSize``.
    package func callAsFunction(after last: Int64 = 0) async throws -> [Item] {
        try await read { db in try Item.list(after: last, limit: Self.pageSize, db) }
    }
}

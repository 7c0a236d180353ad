// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists the accounts of the environment that aren't closed.
package struct ListingAccounts: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The most accounts of a page.
    package static let pageSize = 200

    /// The accounts whose addresses follow `email`, in the order of the
    /// addresses.
    package func callAsFunction(after email: String = "") async throws -> [Account] {
        try await read { db in try Account.page(after: Account.normalized(email), limit: Self.pageSize, db) }
    }
}

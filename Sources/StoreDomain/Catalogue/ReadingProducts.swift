// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads all products of an app, also those that aren't for sale.
package struct ReadingProducts: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The products of an app, in no order.
    package func callAsFunction(of bundleIdentifier: BundleIdentifier) async throws -> [Product] {
        try await read { db in try Catalogue.all(of: bundleIdentifier, db).products.map(\.product) }
    }
}

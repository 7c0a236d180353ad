// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Replaces the catalogue of an app with the products of a configuration
/// file.
///
/// Products that the file doesn't name are taken off sale, never deleted,
/// because accounts may own them.
package struct ImportingCatalogue: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Saves an app and the products of a configuration, and takes the app's
    /// other products off sale.
    ///
    /// - Throws: `DatabaseError`.
    package func callAsFunction(_ configuration: StoreKitConfigurationFile, into app: App) async throws {
        try await write { db in
            try Catalogue.save(app, db)
            for product in configuration.products {
                try Catalogue.save(product, db)
            }
            let kept = Set(configuration.products.map(\.productIdentifier))
            try Catalogue.withdraw(allBut: kept, of: app.bundleIdentifier, db)
        }
    }
}

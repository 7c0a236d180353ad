// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Adds an item to the catalogue, or replaces the one with its identifier.
package struct AddingItem: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Saves the item with its product and its images in one transaction.
    /// Purchases keep the version that they were made of.
    ///
    /// - Throws: ``DomainError``: `invalid` for a value that isn't allowed,
    ///   `exists` when the app has an item with another identifier.
    package func callAsFunction(_ item: Item, _ gallery: ItemGallery) async throws {
        try item.check()
        try await write(.catalogue(of: Item.catalogue)) { db in
            if let app = item.app, let other = try Item.find(app: app, db), other.identifier != item.identifier {
                throw DomainError(.exists, "\(app) has the item \(other.identifier) already: use this identifier.")
            }
            try item.saveWhole(db)
            try gallery.save(of: item.identifier, db)
        }
    }
}

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
    /// The version of a registered app becomes the one that is sold. With
    /// `keepsVersion`, an item that is there keeps its version, and a new one
    /// of an app has the version that is released.
    ///
    /// - Throws: ``DomainError``: `invalid` for a value that isn't allowed,
    ///   `exists` when the app has another number, and when another app has
    ///   the item's.
    @discardableResult
    package func callAsFunction(
        _ item: Item, keepsVersion: Bool = false, _ gallery: ItemGallery
    ) async throws -> Item {
        try item.check()
        let number = Item.drawn(random.bytes(8))
        return try await write(.catalogue(of: Item.catalogue)) { db in
            var item = item
            if keepsVersion, let version = try Self.version(of: item, db) { item.version = version }
            if let app = item.app, let other = try Item.find(app: app, db), other.identifier != item.identifier {
                throw DomainError(.exists, "\(app) has the item \(other.identifier) already: use this identifier.")
            }
            if let owner = try AppRegistration.app(numbered: item.identifier, db), owner != item.app {
                throw DomainError(.exists, "The app \(owner) has the number \(item.identifier): use another one.")
            }
            if let app = item.app, let registered = try AppRegistration.find(app, db) {
                item.team = registered.team
                guard try registered.takeNumber(item.identifier, db) else {
                    let known = registered.appleIdentifier.map(String.init) ?? "another one"
                    throw DomainError(.exists, "\(app) has the Apple ID \(known): use this number as the item's.")
                }
                if !item.version.isEmpty { try AppVersion.release(item.version, of: app, numbered: number, db) }
            }
            try item.saveWhole(db)
            try gallery.save(of: item.identifier, db)
            return item
        }
    }

    /// The version that an item has; `nil` for a new one and one of another app
    /// or kind, unless it is an app with a released version.
    private static func version(of item: Item, _ db: StoreTransaction) throws -> String? {
        if let before = try Item.find(item.identifier, db), before.app == item.app, before.kind == item.kind {
            return before.version
        }
        return try item.app.flatMap { try AppVersion.released(of: $0, db)?.version }
    }
}

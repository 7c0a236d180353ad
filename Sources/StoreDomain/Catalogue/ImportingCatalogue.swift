// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Brings the catalogue of an app up to a configuration file.
///
/// Products that the file doesn't name are taken off sale, never deleted,
/// because accounts may own them. A product that was edited elsewhere since
/// the last import stays as it is.
package struct ImportingCatalogue: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Saves an app, its file and the groups and products of the file, and
    /// takes the app's other products off sale, in one transaction.
    ///
    /// With `onlyIfChanged` a file that has the checksum of the last imported
    /// one changes nothing. The checksum is read in the same transaction, so
    /// that of two processes with the same new file one imports it. With
    /// `overwritingEdits` the file is compared in any case, and products that
    /// were edited elsewhere become those of the file too: later imports
    /// change them.
    ///
    /// - Returns: The changes, and those that weren't made.
    /// - Throws: `DatabaseError`.
    @discardableResult
    package func callAsFunction(
        _ configuration: StoreKitConfigurationFile, into app: App, onlyIfChanged: Bool = false,
        overwritingEdits: Bool = false
    ) async throws -> CatalogueImport {
        try await write(.catalogue(of: app.bundleIdentifier)) { db in
            if onlyIfChanged, !overwritingEdits,
                try CatalogueSource.checksum(of: app.bundleIdentifier, db) == configuration.checksum
            {
                return CatalogueImport(file: configuration.name)
            }
            try Catalogue.save(app, db)
            let result = CatalogueImport(
                of: configuration, over: try Catalogue.all(of: app.bundleIdentifier, db),
                overwritesEdits: overwritingEdits)
            try Self.save(result, of: configuration, in: app.bundleIdentifier, db)
            try CatalogueSource(
                bundleIdentifier: app.bundleIdentifier, name: configuration.name, contents: configuration.contents,
                checksum: configuration.checksum, importedAt: db.now
            ).save(db)
            return result
        }
    }

    /// Compares a file with the catalogue of an app, and changes nothing.
    ///
    /// - Returns: The changes that an import would make, and those that it
    ///   wouldn't.
    /// - Throws: `DatabaseError`.
    package func preview(
        _ configuration: StoreKitConfigurationFile, into bundleIdentifier: BundleIdentifier,
        overwritingEdits: Bool = false
    ) async throws -> CatalogueImport {
        try await read { db in
            CatalogueImport(
                of: configuration, over: try Catalogue.all(of: bundleIdentifier, db),
                overwritesEdits: overwritingEdits)
        }
    }

    private static func save(
        _ result: CatalogueImport, of configuration: StoreKitConfigurationFile, in bundleIdentifier: BundleIdentifier,
        _ db: StoreTransaction
    ) throws {
        for group in result.groups.map(\.group) { try group.save(db) }
        for change in result.changes {
            switch change {
            case .added(let product), .changed(let product, _):
                try Catalogue.save(product, by: .file, db)
                if configuration.exclusions[product.productIdentifier] != nil {
                    try Catalogue.saveExclusions(of: product, product.exclusions, db)
                }
            case .withdrawn(let identifier):
                try Catalogue.withdraw(identifier, of: bundleIdentifier, db)
            case .takenBack(let identifier):
                try Catalogue.noteEdit(of: identifier, in: bundleIdentifier, by: .file, db)
            }
        }
        let key = configuration.offerKey.map { key in
            InAppPurchaseKey(
                identifier: key.identifier, bundleIdentifier: bundleIdentifier,
                name: String(configuration.name.suffix(50)), publicKey: key.publicKey, created: db.now)
        }
        try key?.check()
        try InAppPurchaseKey.replaceKey(ofFileOf: bundleIdentifier, by: key, db)
        if let days = result.gracePeriod?.after {
            try Catalogue.setGracePeriod(days: days, of: bundleIdentifier, db)
        }
    }
}

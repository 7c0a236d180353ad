// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreDatabase

/// Writes the products that an app sells as a configuration file.
package struct ExportingCatalogue: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The file that was imported last, with the edits since then. Without
    /// edits it is the same byte for byte.
    ///
    /// - Throws: ``DomainError``: `notFound` for an app that isn't
    ///   registered, `configuration` for a file that this version can't read.
    package func callAsFunction(_ bundleIdentifier: BundleIdentifier) async throws -> Data {
        let (catalogue, source) = try await read { db in
            guard try Catalogue.app(bundleIdentifier, db) != nil else {
                throw DomainError(.notFound, "The store has no app \"\(bundleIdentifier)\".")
            }
            return (
                try Catalogue.all(of: bundleIdentifier, db), try CatalogueSource.find(of: bundleIdentifier, db)
            )
        }
        var export = try CatalogueExport(of: catalogue, bundleIdentifier: bundleIdentifier, from: source)
        return try export.contents()
    }
}

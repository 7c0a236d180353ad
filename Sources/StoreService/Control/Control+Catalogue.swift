// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreDomain

extension Control {
    /// A configuration file to import or to compare.
    package struct ImportCatalogueCall: Codable, Sendable {
        /// The app's bundle identifier.
        package var bundle: String
        /// The file's name, for messages.
        package var name: String
        /// The bytes of the file in base64.
        package var contents: Data
        /// Whether products that were edited in the store become those of the
        /// file too.
        package var overwritesEdits: Bool
        /// Whether the file is only compared.
        package var isTrial: Bool

        package init(bundle: String, name: String, contents: Data, overwritesEdits: Bool, isTrial: Bool) {
            self.bundle = bundle
            self.name = name
            self.contents = contents
            self.overwritesEdits = overwritesEdits
            self.isTrial = isTrial
        }
    }

    /// The changes that an import has made, or would make.
    package struct ImportCatalogueAnswer: Codable, Sendable {
        /// The changes, groups before products.
        package var changes: [CatalogueLine]
        /// The products that stay, because they were edited in the store.
        package var leftAlone: [CatalogueLine]
    }

    /// A product, a group or a setting, and its change.
    package struct CatalogueLine: Codable, Sendable {
        /// A product's identifier, `group` and a group's, or `grace period`.
        package var subject: String
        /// The change, to follow the subject.
        package var change: String
    }

    package struct ExportCatalogueCall: Codable, Sendable {
        /// The app's bundle identifier.
        package var bundle: String

        package init(bundle: String) {
            self.bundle = bundle
        }
    }

    package struct ExportCatalogueAnswer: Codable, Sendable {
        /// The bytes of the file in base64.
        package var contents: Data
    }
}

extension Control.ImportCatalogueAnswer {
    /// Imports a file into a store, which may be running or not, or compares
    /// it with the store's products.
    ///
    /// - Throws: ``DomainError`` `configuration`, `invalid` for a bundle
    ///   identifier or a name that is too long, or `DatabaseError`.
    package init(importing call: Control.ImportCatalogueCall, into context: StoreContext) async throws {
        guard (1...255).contains(call.bundle.utf8.count) else {
            throw DomainError(.invalid, "A bundle identifier has 1 to 255 bytes, such as com.example.fruit.")
        }
        // The longest path of Linux.
        guard call.name.utf8.count <= 4096 else {
            throw DomainError(.invalid, "A file's name has at most 4096 bytes.")
        }
        let identifier = BundleIdentifier(call.bundle)
        let file = try StoreKitConfigurationFile(call.contents, file: call.name, bundleIdentifier: identifier)
        let importing = ImportingCatalogue(context)
        let result =
            call.isTrial
            ? try await importing.preview(file, into: identifier, overwritingEdits: call.overwritesEdits)
            : try await importing(
                file, into: App(bundleIdentifier: identifier, name: App.name(of: identifier)),
                overwritingEdits: call.overwritesEdits)
        self.init(
            changes: result.changed.map(Control.CatalogueLine.init),
            leftAlone: result.leftAlone.map(Control.CatalogueLine.init))
    }
}

extension Control.CatalogueLine {
    init(_ line: CatalogueImport.Line) {
        self.init(subject: line.subject, change: line.change)
    }
}

extension Control.ExportCatalogueAnswer {
    /// Exports the products of an app of a store, which may be running or
    /// not.
    ///
    /// - Throws: The errors of `ExportingCatalogue`.
    package init(exporting call: Control.ExportCatalogueCall, from context: StoreContext) async throws {
        self.init(contents: try await ExportingCatalogue(context)(BundleIdentifier(call.bundle)))
    }
}

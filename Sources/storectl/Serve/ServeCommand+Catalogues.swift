// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAssembly
import StoreDomain
import StoreService

extension ServeCommand {
    /// Reads all configuration files before the first one is imported, so
    /// that a file that can't be read leaves every catalogue unchanged.
    func readCatalogues() throws -> [ServingConfiguration.Catalogue] {
        try zip(configuration, bundleID).map { file, name in
            let bundleIdentifier = BundleIdentifier(name)
            guard let contents = FileManager.default.contents(atPath: file) else {
                throw CommandFailure("The configuration file \(file) can't be read.")
            }
            let read = try StoreKitConfigurationFile(contents, file: file, bundleIdentifier: bundleIdentifier)
            return ServingConfiguration.Catalogue(
                app: App(bundleIdentifier: bundleIdentifier, name: App.name(of: bundleIdentifier)), file: read)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The configuration file from which an app's catalogue was imported last.
struct CatalogueSource: Hashable, Sendable {
    var bundleIdentifier: BundleIdentifier
    /// The file's name when it was imported.
    var name: String
    /// The bytes of the file, with the keys that the store doesn't read.
    var contents: Data
    /// SHA-256 of the contents, in lower-case hexadecimal.
    var checksum: String
    var importedAt: WallTime
}

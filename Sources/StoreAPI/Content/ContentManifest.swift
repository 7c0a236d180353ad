// SPDX-License-Identifier: Apache-2.0

/// The list of the files of a content, which begins a packed object.
package struct ContentManifest: Hashable, Sendable {
    /// A file of the content.
    package struct File: Hashable, Sendable, Codable {
        package let path: ContentPath
        /// The bytes of the file.
        @Limited<ContentBytes> package private(set) var size: Int64
        /// The SHA-256 of the file in lower-case hexadecimal.
        package let sha256: String

        package init(path: ContentPath, size: Int64, sha256: String) {
            self.path = path
            self.sha256 = sha256
            self.size = size
        }
    }

    /// The identifier of the product.
    package let product: String
    package let version: String
    /// In the order of their paths' bytes: `ContentInfo.plist` is the first.
    package let files: [File]

    /// Checks the values of a manifest.
    ///
    /// - Throws: ``ContentFormatError`` for values that the format doesn't
    ///   allow, and for files that aren't in the order of their paths.
    package init(product: String, version: String, files: [File]) throws(ContentFormatError) {
        self.product = product
        self.version = version
        self.files = files
        try Self.check(product: product, version: version)
        try Self.check(files)
    }

    /// The bytes of all files.
    package var fileBytes: Int64 { files.reduce(0) { $0 + $1.size } }
}

extension ContentManifest: Codable {
    private enum CodingKeys: String, CodingKey {
        case product, version, files
    }

    /// Reads and checks a manifest.
    ///
    /// - Throws: ``ContentFormatError``, ``LimitExceeded`` or `DecodingError`.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            product: container.decode(String.self, forKey: .product),
            version: container.decode(String.self, forKey: .version),
            files: container.decode([File].self, forKey: .files))
    }
}

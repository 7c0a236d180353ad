// SPDX-License-Identifier: Apache-2.0

/// A published version of a product's content.
package struct HostedContent: Hashable, Sendable {
    package let identifier: ContentIdentifier
    package let bundleIdentifier: BundleIdentifier
    package let productIdentifier: ProductIdentifier
    /// The seller's text, such as `1.0`.
    package let version: String
    /// Whether it is the version that was published last of those that the
    /// product has.
    package let isNewest: Bool
    /// The object of the storage with the packed files.
    package let object: ContentObjectName
    /// The bytes of the object.
    package let bytes: Int64
    /// The SHA-256 of the object in lower-case hexadecimal.
    package let checksum: String
    /// The number and the bytes of its files.
    package let files: Files
    package let published: WallTime

    /// The files of a content.
    package struct Files: Hashable, Sendable {
        package var count: Int
        package var bytes: Int64

        package init(count: Int, bytes: Int64) {
            self.count = count
            self.bytes = bytes
        }
    }

    /// The newest content of a product, as a device learns of it.
    package struct Summary: Hashable, Sendable {
        package var version: String
        package var files: Files
    }
}

/// The subject of ``ContentObjectName``: packed files in the storage.
package enum ContentObject {}

extension ContentObjectName {
    /// The upload that the object was made of.
    var upload: UploadIdentifier? { rawValue.split(separator: "-").last.map { UploadIdentifier(String($0)) } }
}

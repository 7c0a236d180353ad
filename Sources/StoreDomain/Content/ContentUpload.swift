// SPDX-License-Identifier: Apache-2.0

/// A packed content that is being uploaded.
package struct ContentUpload: Hashable, Sendable {
    package let identifier: UploadIdentifier
    package let bundleIdentifier: BundleIdentifier
    package let productIdentifier: ProductIdentifier
    package let version: String
    /// The bytes of the whole object.
    package let bytes: Int64
    /// The SHA-256 of the whole object, as the client has computed it.
    package let checksum: String
    /// The bytes from the beginning that the storage has made durable.
    package var received: Int64 = 0
    /// A text of the storage about the parts that it has.
    package var storageState = ""
    /// When it was begun or continued last.
    package var touched: WallTime

    /// The object that the upload becomes. The name is the upload's own, also
    /// if another object has the same bytes, so that an object that was
    /// removed never comes back under its name.
    package var object: ContentObjectName { ContentObjectName("\(checksum)-\(identifier)") }

    package var isComplete: Bool { received == bytes }

    package init(
        identifier: UploadIdentifier, bundleIdentifier: BundleIdentifier, productIdentifier: ProductIdentifier,
        version: String, bytes: Int64, checksum: String, touched: WallTime
    ) {
        self.identifier = identifier
        self.bundleIdentifier = bundleIdentifier
        self.productIdentifier = productIdentifier
        self.version = version
        self.bytes = bytes
        self.checksum = checksum
        self.touched = touched
    }
}

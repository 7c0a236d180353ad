// SPDX-License-Identifier: Apache-2.0

/// Asks for the address of the hosted content of a purchased or restored
/// transaction.
///
/// The store refuses it with `contentNotOwned` or `contentNotFound`.
package struct ContentCall: StoreCall, Hashable {
    package static let path = StorePath.content

    /// The identifier of the transaction.
    @Limited<Identifier> package var transaction: String
    /// The version; `nil` for the newest one.
    @Limited<Optionally<ContentVersionText>> package var version: String?

    package init(transaction: String, version: String? = nil) {
        self.transaction = transaction
        self.version = version
    }

    package typealias Answer = ContentAnswer
}

/// The address of a packed content object, from which a device downloads it
/// with `GET` until the address expires.
package struct ContentAnswer: Codable, Sendable, Hashable {
    /// The path, relative to the store's address: `/content/…`.
    package var address: String
    /// The end of the address's validity in milliseconds since 1970.
    @Limited<Milliseconds> package var expires: Int64
    /// The bytes of the whole object.
    @Limited<ContentBytes> package var length: Int64
    /// The SHA-256 of the whole object in lower-case hexadecimal, which is
    /// also its `ETag`.
    package var checksum: String
    /// The identifier of the product.
    package var product: String
    package var version: String

    package init(
        address: String, expires: Int64, length: Int64, checksum: String, product: String, version: String
    ) {
        self.address = address
        self.checksum = checksum
        self.product = product
        self.version = version
        self.expires = expires
        self.length = length
    }
}

/// The newest hosted content of a product.
package struct ContentOffer: Codable, Sendable, Hashable {
    /// The identifier of the product.
    package var product: String
    package var version: String
    /// The bytes of all files.
    @Limited<ContentBytes> package var length: Int64
    /// The number of files.
    @Limited<ContentFiles> package var files: Int

    package init(product: String, version: String, length: Int64, files: Int) {
        self.product = product
        self.version = version
        self.length = length
        self.files = files
    }
}

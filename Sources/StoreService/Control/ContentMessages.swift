// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension Control {
    /// Lists the hosted content of an app, by product and then by version.
    package struct ContentsCall: Codable, Sendable {
        package var bundle: String
        /// The place of the last version of the page before; the first page
        /// when absent.
        package var after: ContentVersion.Place?

        package init(bundle: String, after: ContentVersion.Place? = nil) {
            self.bundle = bundle
            self.after = after
        }
    }

    /// The next versions; empty at the end.
    package struct ContentsAnswer: Codable, Sendable {
        package var contents: [ContentVersion]
    }

    /// A published version of a product's content.
    package struct ContentVersion: Codable, Sendable {
        /// The place of a version in the list.
        package struct Place: Codable, Sendable {
            package var product: String
            package var version: String

            package init(product: String, version: String) {
                self.product = product
                self.version = version
            }
        }

        package var product: String
        package var version: String
        /// Whether devices get this version.
        package var isNewest: Bool
        /// The bytes of the packed object, and their SHA-256.
        package var bytes: Int64
        package var checksum: String
        /// The number of files, and their bytes.
        package var files: Int
        package var fileBytes: Int64
        /// In milliseconds since 1970.
        package var published: Int64

        package var place: Place { Place(product: product, version: version) }
    }

    /// Announces a packed content. The same call finds an upload that was
    /// begun before.
    package struct BeginUploadCall: Codable, Sendable {
        package var bundle: String
        package var product: String
        package var version: String
        /// The bytes of the packed object, and their SHA-256.
        package var bytes: Int64
        package var checksum: String

        package init(bundle: String, product: String, version: String, bytes: Int64, checksum: String) {
            self.bundle = bundle
            self.product = product
            self.version = version
            self.bytes = bytes
            self.checksum = checksum
        }
    }

    /// An upload, or the version that has the same bytes.
    package struct UploadAnswer: Codable, Sendable {
        /// The identifier of the upload; absent if the bytes are published.
        package var upload: String?
        /// The bytes that the store has, after which the next part begins.
        package var received: Int64
        /// The bytes of each part but the last.
        package var partBytes: Int
        /// The version that has these bytes already; absent while there is
        /// none.
        package var published: ContentVersion?
    }

    /// Names an upload, to publish or to abandon it.
    package struct UploadCall: Codable, Sendable {
        package var upload: String

        package init(upload: String) {
            self.upload = upload
        }
    }

    /// The upload that was abandoned.
    package struct AbandonUploadAnswer: Codable, Sendable {
        package var upload: String
    }

    /// Removes versions of a product's content.
    package struct RemoveContentCall: Codable, Sendable {
        package var bundle: String
        package var product: String
        /// All versions when absent.
        package var version: String?

        package init(bundle: String, product: String, version: String?) {
            self.bundle = bundle
            self.product = product
            self.version = version
        }
    }
}

extension Control.ContentVersion {
    init(_ content: HostedContent) {
        self.init(
            product: content.productIdentifier.rawValue, version: content.version, isNewest: content.isNewest,
            bytes: content.bytes, checksum: content.checksum, files: content.files.count,
            fileBytes: content.files.bytes, published: content.published.milliseconds)
    }
}

extension Control.UploadAnswer {
    init(_ upload: ContentUpload, in hosting: ContentHosting) {
        self.init(
            upload: upload.identifier.rawValue, received: upload.received, partBytes: hosting.storage.partBytes)
    }
}

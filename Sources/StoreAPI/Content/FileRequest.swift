// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A request for a file of a seller's own server.
package struct FileRequest: Sendable {
    package var address: URL
    package var fields: [String: String]
    /// The first byte to send; 0 asks for the whole file.
    package var offset: Int64
    /// The strong entity tag of the bytes before it, with its quotes.
    package var tag: String?

    package init(address: URL, fields: [String: String], offset: Int64 = 0, tag: String? = nil) {
        self.address = address
        self.fields = fields
        self.offset = offset
        self.tag = tag
    }
}

/// The answer to a ``FileRequest``.
package struct FilePart: Sendable {
    package var status: Int
    /// The place of the first byte.
    package var offset: Int64 = 0
    /// The number of bytes of the whole file, if the server sends it.
    package var length: Int64?
    /// The strong entity tag, with its quotes; `nil` without one.
    package var tag: String?
    /// The seconds to wait before a repetition, if the server asks for it.
    package var retryAfter: Int?
    /// The bytes. They may end early, when the connection is lost.
    package var bytes: AsyncThrowingStream<Data, any Error>

    package init(status: Int, bytes: AsyncThrowingStream<Data, any Error>) {
        self.status = status
        self.bytes = bytes
    }
}

extension StoreConnection {
    /// Fails: only a connection over HTTP reaches sellers' servers.
    ///
    /// - Throws: ``StoreFailure`` with the code `unavailable`, always.
    package func file(_ request: FileRequest) async throws -> FilePart {
        throw StoreFailure(
            .unavailable,
            "Sellers' servers are reached over HTTP only. Set STOREKIT_STORE_URL to the store's address.")
    }
}

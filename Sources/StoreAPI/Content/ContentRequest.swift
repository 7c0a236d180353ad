// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A request for bytes of a packed content, at an address that the store has
/// given (``ContentAnswer``).
package struct ContentRequest: Sendable, Hashable {
    /// The path of ``ContentAnswer/address``.
    package var address: String
    /// The bytes of the object, not empty.
    package var range: Range<Int64>
    /// The SHA-256 of the object in hexadecimal. The answer may be the whole
    /// of another object.
    package var checksum: String

    package init(address: String, range: Range<Int64>, checksum: String) {
        self.address = address
        self.range = range
        self.checksum = checksum
    }
}

/// Bytes of a packed content as they arrive.
package struct ContentPart: Sendable {
    /// The place of the first byte in the object: 0 from a server that sends
    /// no ranges.
    package var offset: Int64
    /// The SHA-256 of the object in hexadecimal; `nil` when the server doesn't
    /// send it.
    package var checksum: String?
    /// The bytes. They may end early, when the connection is lost.
    package var bytes: AsyncThrowingStream<Data, any Error>

    package init(offset: Int64, checksum: String?, bytes: AsyncThrowingStream<Data, any Error>) {
        self.offset = offset
        self.checksum = checksum
        self.bytes = bytes
    }
}

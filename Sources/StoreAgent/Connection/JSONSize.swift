// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// Limits the memory that decoding a JSON text takes.
///
/// A decoder takes tens of bytes for each value, of which the text may have
/// only two.
enum JSONSize {
    /// The largest number of values and names: that of some ten thousand
    /// transactions.
    static let limit = 250_000

    /// Checks a text before it is decoded.
    ///
    /// Each value and each name has one of the counted bytes beside it. Such
    /// bytes inside strings count too; a store's strings have few.
    ///
    /// - Throws: `StoreFailure` with the code `unreadableAnswer`.
    static func check(_ bytes: some Collection<UInt8>) throws {
        let count = bytes.withContiguousStorageIfAvailable(values) ?? Array(bytes).withUnsafeBufferPointer(values)
        guard count <= limit else {
            throw StoreFailure(.unreadableAnswer, "The store has sent more than \(limit) values in one message.")
        }
    }

    private static func values(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): count += 1
            default: break
            }
        }
        return count
    }
}

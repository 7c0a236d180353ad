// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreAPI

/// A packed object that can be read at any place: a file, or a folder that is
/// packed while it is read.
package protocol PackedSource: Sendable {
    var manifest: ContentManifest { get }
    /// The bytes of the object.
    var bytes: Int64 { get }

    /// Reads the bytes at an offset; fewer only at the end.
    ///
    /// - Throws: ``ContentStorageError`` when a file can't be read, or is
    ///   shorter than before.
    func read(_ count: Int, at offset: Int64) throws -> Data
}

extension PackedSource {
    /// The bytes that are read at a time where the caller doesn't say.
    package static var block: Int { 1 << 20 }

    /// Reads the whole object, a block at a time.
    ///
    /// - Throws: The errors of ``read(_:at:)`` and of the closure.
    package func forEachBlock(_ body: (Data) throws -> Void) throws {
        var offset: Int64 = 0
        while offset < bytes {
            let data = try read(Int(min(Int64(Self.block), bytes - offset)), at: offset)
            try body(data)
            offset += Int64(data.count)
        }
    }
}

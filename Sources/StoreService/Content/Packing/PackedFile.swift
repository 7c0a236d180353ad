// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreAPI
import StoreDomain

/// A packed object in a file.
package struct PackedFile: PackedSource {
    package let manifest: ContentManifest
    package let bytes: Int64
    private let file: StorageFile

    /// Opens a file, and reads its head.
    ///
    /// - Throws: `ContentFormatError` for a file that isn't a packed object
    ///   or has another length than its manifest says, ``ContentStorageError``.
    package init(_ path: String) throws {
        file = try StorageFile(path, for: .read)
        bytes = try file.size()
        guard bytes <= ContentLimits.objectBytes else { throw Self.tooLarge(bytes) }
        let prefix = try file.read(ContentHead.prefixBytes, at: 0)
        let head = try ContentHead(decoding: file.read(try ContentHead.bytes(prefix: prefix), at: 0))
        guard head.objectBytes == bytes else {
            throw ContentFormatError(
                .manifest, "\(path) has \(bytes) bytes, and \(head.objectBytes) by its manifest.")
        }
        manifest = head.manifest
    }

    static func tooLarge(_ bytes: Int64) -> ContentFormatError {
        ContentFormatError(
            .tooLarge,
            "The packed content has \(bytes) bytes. A product has at most \(ContentLimits.objectBytes) (2 GB).")
    }

    package func read(_ count: Int, at offset: Int64) throws -> Data {
        let data = try file.read(Int(min(Int64(count), max(0, bytes - offset))), at: offset)
        guard Int64(data.count) == min(Int64(count), bytes - offset) else {
            throw ContentStorageError(.missing, "the packed content has become shorter")
        }
        return data
    }
}

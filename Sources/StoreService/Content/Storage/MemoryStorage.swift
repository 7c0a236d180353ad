// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreDomain
import Synchronization

/// Keeps the content of a store in memory: that of a store that leaves nothing
/// on the disk. The bytes of all apps end at a limit.
package final class MemoryStorage: ContentStorage {
    private struct Contents {
        var uploads: [UploadIdentifier: Data] = [:]
        var objects: [ContentObjectName: Data] = [:]

        var bytes: Int {
            uploads.values.reduce(0) { $0 + $1.count } + objects.values.reduce(0) { $0 + $1.count }
        }
    }

    package let partBytes: Int
    private let limit: Int
    private let contents = Mutex(Contents())

    /// The bytes of a storage without another limit: 256 MB.
    package static let limit = 256_000_000

    package init(partBytes: Int = 4 << 20, limit: Int = limit) {
        self.partBytes = partBytes
        self.limit = limit
    }

    package func append(_ part: Data, to upload: ContentUpload, at offset: Int64) throws -> String {
        try contents.withLock { contents in
            let count = contents.uploads[upload.identifier]?.count ?? 0
            guard count >= offset else {
                throw ContentStorageError(.missing, "An upload has fewer than \(offset) bytes")
            }
            guard contents.bytes - count + Int(offset) + part.count <= limit else {
                throw ContentStorageError(.full, "A store in memory hosts at most \(limit) bytes")
            }
            // Taken out of the dictionary, so that the bytes aren't copied.
            var bytes = contents.uploads.removeValue(forKey: upload.identifier) ?? Data()
            // An earlier try of the part is replaced.
            bytes.removeSubrange(Int(offset)...)
            bytes.append(part)
            contents.uploads[upload.identifier] = bytes
            return ""
        }
    }

    package func read(_ upload: ContentUpload) throws -> any ContentReader {
        let bytes = contents.withLock { $0.uploads[upload.identifier] ?? $0.objects[upload.object] }
        return try reader(bytes, 0..<upload.bytes)
    }

    package func complete(_ upload: ContentUpload) throws {
        try contents.withLock { contents in
            if let bytes = contents.uploads.removeValue(forKey: upload.identifier) {
                contents.objects[upload.object] = bytes
            } else if contents.objects[upload.object] == nil {
                throw ContentStorageError(.missing, "There is no upload \(upload.identifier)")
            }
        }
    }

    package func abandon(_ upload: ContentUpload) { abandon(upload.identifier) }

    package func abandon(_ upload: UploadIdentifier) {
        contents.withLock { $0.uploads[upload] = nil }
    }

    package func read(_ object: ContentObjectName, _ range: Range<Int64>) throws -> any ContentReader {
        try reader(contents.withLock { $0.objects[object] }, range)
    }

    package func remove(_ object: ContentObjectName) {
        contents.withLock { $0.objects[object] = nil }
    }

    package func address(of object: ContentObjectName, until expires: WallTime) -> String? { nil }

    /// All uploads and objects are one page.
    package func list(after last: StoredContent?) -> [StoredContent] {
        guard last == nil else { return [] }
        return contents.withLock { contents in
            contents.uploads.keys.map { .upload($0) } + contents.objects.keys.map { .object($0) }
        }
    }

    private func reader(_ bytes: Data?, _ range: Range<Int64>) throws -> any ContentReader {
        guard let bytes, bytes.count >= range.upperBound else {
            throw ContentStorageError(.missing, "The storage has fewer than \(range.upperBound) bytes")
        }
        return MemoryReader(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }
}

/// Reads bytes in memory part by part.
private final class MemoryReader: ContentReader {
    private static let part = 128 << 10

    private let rest: Mutex<Data>

    init(_ bytes: Data) {
        rest = Mutex(bytes)
    }

    func next() -> Data? {
        rest.withLock { rest in
            let part = rest.prefix(Self.part)
            rest = rest.dropFirst(Self.part)
            return part.isEmpty ? nil : Data(part)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService
import Synchronization

/// A folder of content whose objects have as many bytes as are asked for: they
/// are zeros without a file, and those that were read are counted.
final class LargeStorage: ContentStorage {
    private let folder: FolderStorage
    private let opened = Mutex<[LargeReader]>([])

    init(_ folder: FolderStorage) {
        self.folder = folder
    }

    /// The readers of objects, in the order in which they were opened.
    var readers: [LargeReader] { opened.withLock { $0 } }

    func read(_ object: ContentObjectName, _ range: Range<Int64>) async throws -> any ContentReader {
        let reader = LargeReader(range.upperBound - range.lowerBound)
        opened.withLock { $0.append(reader) }
        return reader
    }

    var partBytes: Int { folder.partBytes }

    func append(_ part: Data, to upload: ContentUpload, at offset: Int64) async throws -> String {
        try await folder.append(part, to: upload, at: offset)
    }

    func read(_ upload: ContentUpload) async throws -> any ContentReader { try await folder.read(upload) }

    func complete(_ upload: ContentUpload) async throws { try await folder.complete(upload) }

    func abandon(_ upload: ContentUpload) async throws { try await folder.abandon(upload) }

    func abandon(_ upload: UploadIdentifier) async throws { try await folder.abandon(upload) }

    func remove(_ object: ContentObjectName) async throws { try await folder.remove(object) }

    func address(of object: ContentObjectName, until expires: WallTime) async throws -> String? { nil }

    func list(after last: StoredContent?) async throws -> [StoredContent] { try await folder.list(after: last) }
}

/// Gives zeros in parts as large as those of a folder, and counts them.
final class LargeReader: ContentReader {
    static let part: Int64 = 128 << 10

    private let bytes: Int64
    private let left: Mutex<Int64>

    init(_ bytes: Int64) {
        self.bytes = bytes
        left = Mutex(bytes)
    }

    /// The bytes that the store has taken.
    var taken: Int64 { bytes - left.withLock { $0 } }

    func next() async throws -> Data? {
        let count = left.withLock { left in
            let count = min(Self.part, left)
            left -= count
            return count
        }
        return count > 0 ? Data(count: Int(count)) : nil
    }
}

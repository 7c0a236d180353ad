// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService
import Synchronization

/// The storage of a session's hosted content: the folders of the test, which
/// are read when the app downloads them.
///
/// It works on the calling thread, as everything of a session.
final class SessionContentStorage: ContentStorage {
    private struct State {
        /// The contents by their checksums.
        var sources: [String: any PackedSource] = [:]
        var objects: [ContentObjectName: any PackedSource] = [:]
    }

    private let state = Mutex(State())

    let partBytes = 4 << 20

    /// Adds a content that is about to be uploaded.
    ///
    /// - Returns: the checksum of the packed object.
    func add(_ source: some PackedSource) throws -> String {
        let checksum = try source.checksum()
        state.withLock { $0.sources[checksum] = source }
        return checksum
    }

    /// The bytes are those of the source.
    func append(_ part: Data, to upload: ContentUpload, at offset: Int64) -> String { "" }

    func read(_ upload: ContentUpload) throws -> any ContentReader {
        try reader(of: state.withLock { $0.sources[upload.checksum] }, 0..<upload.bytes)
    }

    func complete(_ upload: ContentUpload) {
        state.withLock { $0.objects[upload.object] = $0.sources[upload.checksum] }
    }

    func read(_ object: ContentObjectName, _ range: Range<Int64>) throws -> any ContentReader {
        try reader(of: state.withLock { $0.objects[object] }, range)
    }

    private func reader(of source: (any PackedSource)?, _ range: Range<Int64>) throws -> any ContentReader {
        guard let source else { throw ContentStorageError(.missing, "The session doesn't have this content.") }
        return SourceReader(source, range)
    }

    func remove(_ object: ContentObjectName) {
        state.withLock { $0.objects[object] = nil }
    }

    func abandon(_ upload: ContentUpload) {}
    func abandon(_ upload: UploadIdentifier) {}
    func address(of object: ContentObjectName, until expires: WallTime) -> String? { nil }
    func list(after last: StoredContent?) -> [StoredContent] { [] }
}

/// Reads some bytes of a folder that is packed while it is read.
private final class SourceReader: ContentReader {
    private static let part: Int64 = 64 << 10

    private let source: any PackedSource
    private let rest: Mutex<Range<Int64>>

    init(_ source: any PackedSource, _ range: Range<Int64>) {
        self.source = source
        rest = Mutex(range)
    }

    func next() throws -> Data? {
        let part = rest.withLock { rest in
            let end = min(rest.lowerBound + Self.part, rest.upperBound)
            defer { rest = end..<rest.upperBound }
            return rest.lowerBound..<end
        }
        return part.isEmpty ? nil : try source.read(part.count, at: part.lowerBound)
    }
}

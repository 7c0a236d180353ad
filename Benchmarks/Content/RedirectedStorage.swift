// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService

/// A folder of content whose objects another server sends, as a bucket does:
/// with `--content-redirect` the store answers with that server's address.
struct RedirectedStorage: ContentStorage {
    private let folder: FolderStorage
    private let port: Int

    /// Wraps a folder, which the server at a port of this machine serves.
    init(_ folder: FolderStorage, servedAt port: Int) {
        self.folder = folder
        self.port = port
    }

    /// The path of an object in the folder.
    static func path(of object: ContentObjectName) -> String { "/objects/\(object.rawValue.prefix(2))/\(object)" }

    func address(of object: ContentObjectName, until expires: WallTime) async throws -> String? {
        "http://127.0.0.1:\(port)\(Self.path(of: object))"
    }

    var partBytes: Int { folder.partBytes }

    func append(_ part: Data, to upload: ContentUpload, at offset: Int64) async throws -> String {
        try await folder.append(part, to: upload, at: offset)
    }

    func read(_ upload: ContentUpload) async throws -> any ContentReader { try await folder.read(upload) }

    func complete(_ upload: ContentUpload) async throws { try await folder.complete(upload) }

    func abandon(_ upload: ContentUpload) async throws { try await folder.abandon(upload) }

    func abandon(_ upload: UploadIdentifier) async throws { try await folder.abandon(upload) }

    func read(_ object: ContentObjectName, _ range: Range<Int64>) async throws -> any ContentReader {
        try await folder.read(object, range)
    }

    func remove(_ object: ContentObjectName) async throws { try await folder.remove(object) }

    func list(after last: StoredContent?) async throws -> [StoredContent] { try await folder.list(after: last) }
}

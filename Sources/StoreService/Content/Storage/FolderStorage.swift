// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreDomain

/// Keeps the content of a store in a folder: `uploads/<identifier>`, and
/// `objects/<two digits>/<name>`.
///
/// The bytes of a part are on the disk before ``append(_:to:at:)`` returns, and
/// the name of an object before ``complete(_:)`` does. An upload becomes an
/// object by the renaming of its file, so that no object is ever incomplete.
package struct FolderStorage: ContentStorage {
    package let partBytes: Int
    private let folder: String

    /// Opens a folder, which is made at the first use.
    package init(_ folder: URL, partBytes: Int = 4 << 20) {
        self.folder = folder.path
        self.partBytes = partBytes
    }

    private var uploads: String { "\(folder)/uploads" }
    private var objects: String { "\(folder)/objects" }
    private func path(_ upload: UploadIdentifier) -> String { "\(uploads)/\(upload)" }
    private func folder(of object: ContentObjectName) -> String { "\(objects)/\(object.rawValue.prefix(2))" }
    private func path(_ object: ContentObjectName) -> String { "\(folder(of: object))/\(object)" }

    package func append(_ part: Data, to upload: ContentUpload, at offset: Int64) async throws -> String {
        try await StorageThreads.shared.run {
            if offset == 0 { try makeFolder(uploads) }
            let file = try StorageFile(path(upload.identifier), for: .write(creates: offset == 0))
            guard try file.size() >= offset else {
                throw ContentStorageError(.missing, "\(path(upload.identifier)) has fewer than \(offset) bytes")
            }
            try file.write(part, at: offset)
            try file.synchronize()
            if offset == 0 { try StorageFile.synchronizeFolder(uploads) }
            return ""
        }
    }

    package func read(_ upload: ContentUpload) async throws -> any ContentReader {
        try await StorageThreads.shared.run {
            do {
                return try FileReader(StorageFile(path(upload.identifier), for: .read), 0..<upload.bytes)
            } catch let error as ContentStorageError where error.code == .missing {
                return try FileReader(StorageFile(path(upload.object), for: .read), 0..<upload.bytes)
            }
        }
    }

    package func complete(_ upload: ContentUpload) async throws {
        try await StorageThreads.shared.run {
            let target = path(upload.object)
            try makeFolder(folder(of: upload.object))
            if rename(path(upload.identifier), target) != 0 {
                let reason = errno
                guard reason == ENOENT, access(target, F_OK) == 0 else {
                    throw ContentStorageError(reason, "renaming", path(upload.identifier))
                }
            }
            try StorageFile.synchronizeFolder(folder(of: upload.object))
        }
    }

    package func abandon(_ upload: ContentUpload) async throws {
        try await abandon(upload.identifier)
    }

    package func abandon(_ upload: UploadIdentifier) async throws {
        try await StorageThreads.shared.run { try delete(path(upload)) }
    }

    package func read(_ object: ContentObjectName, _ range: Range<Int64>) async throws -> any ContentReader {
        try await StorageThreads.shared.run { try FileReader(StorageFile(path(object), for: .read), range) }
    }

    package func remove(_ object: ContentObjectName) async throws {
        try await StorageThreads.shared.run { try delete(path(object)) }
    }

    package func address(of object: ContentObjectName, until expires: WallTime) async throws -> String? { nil }

    /// A page is the uploads, or the objects of one of the 256 folders.
    package func list(after last: StoredContent?) async throws -> [StoredContent] {
        try await StorageThreads.shared.run {
            var place = 0
            switch last {
            case nil:
                let names = try names(in: uploads)
                if !names.isEmpty { return names.map { .upload(UploadIdentifier($0)) } }
            case .upload: break
            case .object(let name): place = (Int(name.rawValue.prefix(2), radix: 16) ?? 255) + 1
            }
            while place < 256 {
                let digits = (place < 16 ? "0" : "") + String(place, radix: 16)
                let names = try names(in: "\(objects)/\(digits)")
                if !names.isEmpty { return names.map { .object(ContentObjectName($0)) } }
                place += 1
            }
            return []
        }
    }

    private func names(in folder: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return []
        } catch {
            throw ContentStorageError(.unavailable, "reading \(folder): \(error)")
        }
    }

    /// Makes a folder that only the store's user can enter.
    private func makeFolder(_ path: String) throws {
        guard access(path, F_OK) != 0 else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            throw ContentStorageError(.full, "making \(path): \(error)")
        } catch {
            throw ContentStorageError(.unavailable, "making \(path): \(error)")
        }
        var parent = path
        while parent.count > folder.count {
            parent = String(parent[..<(parent.lastIndex(of: "/") ?? parent.startIndex)])
            try StorageFile.synchronizeFolder(parent)
        }
    }

    private func delete(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw ContentStorageError(errno, "removing", path) }
    }
}

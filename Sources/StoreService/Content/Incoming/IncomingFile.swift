// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

/// A file without a name, to which a package of Connect's page is written
/// while it arrives.
///
/// The system frees its bytes when the upload ends, also when the process is
/// killed. So an upload that breaks off leaves no bytes behind.
struct IncomingFile: Sendable {
    private let file: StorageFile
    private let folder: String

    /// The bytes of the disk that uploads leave to the other files of the
    /// store. They are measured before each write, because other uploads and
    /// other programs write to the disk at the same time.
    static let reserve: Int64 = 64 << 20

    /// Makes a file in a folder, which is made if it is missing. No other file
    /// of the folder has the name.
    ///
    /// - Throws: ``ContentStorageError``: `full` if the disk has no room for
    ///   `bytes`.
    init(in folder: String, name: String, expecting bytes: Int64) async throws {
        self.folder = folder
        file = try await StorageThreads.shared.run {
            try Self.makeFolder(folder)
            return try StorageFile("\(folder)/\(name)", for: .temporary)
        }
        try await requireRoom(for: bytes)
    }

    /// Checks that so many bytes leave ``reserve`` on the disk.
    ///
    /// - Throws: ``ContentStorageError``: `full` if they don't.
    func requireRoom(for bytes: Int64) async throws {
        try await StorageThreads.shared.run { try measure(for: bytes) }
    }

    private func measure(for bytes: Int64) throws {
        guard try file.freeBytes() - Self.reserve >= bytes else {
            throw ContentStorageError(.full, "the disk of \(folder) has no room for \(bytes) more bytes")
        }
    }

    private static func makeFolder(_ folder: String) throws {
        guard access(folder, F_OK) != 0 else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ContentStorageError(.unavailable, "making \(folder): \(error)")
        }
    }

    /// Writes bytes at a place.
    ///
    /// - Throws: ``ContentStorageError``: `full` also if they don't leave
    ///   ``reserve`` on the disk.
    func write(_ data: Data, at place: Int64) async throws {
        try await StorageThreads.shared.run {
            try measure(for: Int64(data.count))
            try file.write(data, at: place)
        }
    }

    /// Reads the bytes at a place, at most so many.
    ///
    /// - Throws: ``ContentStorageError``.
    func read(_ count: Int, at place: Int64) async throws -> Data {
        try await StorageThreads.shared.run { try file.read(count, at: place) }
    }
}

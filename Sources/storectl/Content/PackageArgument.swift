// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreService

/// A content package on the command line: a folder, or a file that `content
/// pack` has written.
enum PackageArgument {
    /// Opens it, with a progress line while checksums are computed.
    ///
    /// - Throws: ``CommandFailure``, the errors of `PackedFolder` and
    ///   `PackedFile`.
    static func open(_ path: String) throws -> any PackedSource {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandFailure("There is no folder or file \(path).")
        }
        guard isFolder.boolValue else { return try PackedFile(path) }
        let line = ProgressLine("Reading")
        defer { line.end() }
        return try PackedFolder(path) { line.show($0, of: $1) }
    }

    /// The SHA-256 of the packed object, in hexadecimal.
    ///
    /// - Throws: ``ContentStorageError``.
    static func checksum(of source: any PackedSource) throws -> String {
        let line = ProgressLine("Computing the checksum,")
        defer { line.end() }
        return try source.checksum { line.show($0, of: source.bytes) }
    }
}

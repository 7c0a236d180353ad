// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files that have their name only when all of their bytes are on the disk: an
/// app that is killed, or a power failure, leaves the whole file or none.
enum DurableFile {
    /// Copies a file. An app that ended in the middle has left a part of it
    /// under another name.
    static func copy(_ source: URL, to file: URL) throws {
        let new = file.appendingPathExtension("new")
        try? FileManager.default.removeItem(at: new)
        try FileManager.default.copyItem(at: source, to: new)
        try place(new, at: file)
    }

    /// Gives a file of the same folder its name.
    static func place(_ new: URL, at file: URL) throws {
        let handle = try FileHandle(forUpdating: new)
        try handle.synchronize()
        try handle.close()
        // The new name is in the folder, which is flushed too.
        let folder = open(file.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        guard rename(new.path, file.path) == 0, fsync(folder) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }
}

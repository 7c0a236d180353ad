// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file that only its owner can read, from its start.
enum PrivateFile {
    /// Makes a new file, whose bytes are on the disk afterwards.
    ///
    /// - Throws: ``CommandFailure``, also when there is such a file.
    static func create(_ path: String, _ contents: Data) throws {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure("The file \(path) can't be made: \(String(cString: strerror(errno))).")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: contents)
            try file.synchronize()
        } catch {
            unlink(path)
            throw CommandFailure("The file \(path) can't be written: \(error.localizedDescription)")
        }
    }
}

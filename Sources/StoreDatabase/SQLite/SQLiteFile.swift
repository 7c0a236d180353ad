// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Makes the file of a database, which only its owner may read and write.
///
/// SQLite gives the `-wal` and `-shm` files the same permissions.
struct SQLiteFile {
    let path: String

    /// Makes the file and its missing folders. An existing file or folder
    /// keeps its permissions.
    func makeIfMissing() throws {
        try makeFolder((path as NSString).deletingLastPathComponent)
        let file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if file >= 0 {
            _ = close(file)
        } else if errno != EEXIST {
            throw failure(errno)
        }
    }

    private func makeFolder(_ folder: String) throws {
        guard !folder.isEmpty, !FileManager.default.fileExists(atPath: folder) else { return }
        try makeFolder((folder as NSString).deletingLastPathComponent)
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw failure(errno)
        }
    }

    private func failure(_ number: Int32) -> DatabaseError {
        let reason = String(cString: strerror(number))
        guard number != ENOSPC, number != EDQUOT else {
            return DatabaseError(.diskFull, "The database \(path) can't be made: \(reason). Make room and try again.")
        }
        return DatabaseError(
            .readOnly,
            """
            The database \(path) can't be made: \(reason). Make its folder writable for the user who runs this \
            process, or choose another place.
            """)
    }
}

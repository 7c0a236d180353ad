// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Data {
    /// Writes a new file, and returns when it is on disk.
    ///
    /// The file is inside of a directory that only its owner can enter, so
    /// nobody sees it before its permissions are set.
    func writeDurably(to file: URL, permissions: Int) throws {
        try write(to: file, options: .withoutOverwriting)
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path)
        let handle = try FileHandle(forWritingTo: file)
        try handle.synchronize()
        try handle.close()
    }
}

extension String {
    /// Writes a new file, and returns when it is on disk.
    func writeDurably(to file: URL, permissions: Int) throws {
        try Data(utf8).writeDurably(to: file, permissions: permissions)
    }
}

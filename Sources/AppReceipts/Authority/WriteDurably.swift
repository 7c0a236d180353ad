// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension Data {
    /// Writes a new file, and returns when it is on disk.
    ///
    /// The file is created with its permissions, because others may be able
    /// to enter its directory.
    func writeDurably(to file: URL, permissions: Int) throws {
        let descriptor = open(file.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode_t(permissions))
        guard descriptor >= 0 else {
            let number = errno
            var information: [String: Any] = [NSFilePathErrorKey: file.path]
            if let code = POSIXErrorCode(rawValue: number) { information[NSUnderlyingErrorKey] = POSIXError(code) }
            throw CocoaError(number == EEXIST ? .fileWriteFileExists : .fileWriteUnknown, userInfo: information)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: self)
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

// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

/// A file of a storage folder, opened by its descriptor. The file is closed
/// with the last reference.
final class StorageFile: Sendable {
    private let descriptor: Int32
    private let path: String

    /// How a file is opened. No kind follows a link at the end of the path.
    enum Purpose {
        case read
        /// It is created if it is missing.
        case write(creates: Bool)
        /// It is created, is read and written, and has no name after it was
        /// opened: its bytes are gone with the last reference, also when the
        /// process is killed.
        case temporary

        fileprivate var flags: Int32 {
            switch self {
            case .read: O_RDONLY
            case .write(creates: true): O_WRONLY | O_CREAT
            case .write(creates: false): O_WRONLY
            case .temporary: O_RDWR | O_CREAT | O_EXCL
            }
        }
    }

    /// - Throws: ``ContentStorageError`` `missing` when there is no such file.
    init(_ path: String, for purpose: Purpose) throws {
        self.path = path
        descriptor = open(path, purpose.flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw ContentStorageError(errno, "opening", path) }
        if case .temporary = purpose { unlink(path) }
    }

    /// The bytes that a user of the system may still write to the disk of a
    /// file.
    func freeBytes() throws -> Int64 {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { throw ContentStorageError(errno, "measuring", path) }
        let (bytes, isMore) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isMore ? .max : Int64(clamping: bytes)
    }

    deinit { close(descriptor) }

    /// The number of its bytes.
    func size() throws -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw ContentStorageError(errno, "measuring", path) }
        return Int64(status.st_size)
    }

    /// Reads at most `count` bytes; fewer at the end of the file.
    func read(_ count: Int, at offset: Int64) throws -> Data {
        var data = Data(count: count)
        var done = 0
        while done < count {
            let read = data.withUnsafeMutableBytes { bytes in
                pread(descriptor, bytes.baseAddress?.advanced(by: done), count - done, off_t(offset) + off_t(done))
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw ContentStorageError(errno, "reading", path) }
            guard read > 0 else { return data.prefix(done) }
            done += read
        }
        return data
    }

    /// Writes all bytes.
    func write(_ data: Data, at offset: Int64) throws {
        var done = 0
        while done < data.count {
            let written = data.withUnsafeBytes { bytes in
                pwrite(
                    descriptor, bytes.baseAddress?.advanced(by: done), data.count - done, off_t(offset) + off_t(done))
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw ContentStorageError(written < 0 ? errno : ENOSPC, "writing", path) }
            done += written
        }
    }

    /// Waits until the file's bytes are on the disk.
    func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw ContentStorageError(errno, "writing", path) }
    }

    /// Waits until the names of a folder's files are on the disk.
    static func synchronizeFolder(_ path: String) throws {
        try StorageFile(path, for: .read).synchronize()
    }
}

extension ContentStorageError {
    /// Describes a failed call of the system.
    init(_ code: Int32, _ action: String, _ path: String) {
        let reason = String(cString: strerror(code))
        let kind: Code =
            switch code {
            case ENOSPC, EDQUOT, EFBIG: .full
            case ENOENT: .missing
            default: .unavailable
            }
        self.init(kind, "\(action) \(path): \(reason)")
    }
}

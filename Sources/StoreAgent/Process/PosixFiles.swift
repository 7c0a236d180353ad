// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Aliases, because the methods of `PosixFiles` hide these functions.
private let put = write
private let move = rename

/// The files of the operating system.
struct PosixFiles: FileSystem {
    func contents(of file: URL) throws -> Data? {
        guard Posix.mayExist(file.path) else { return nil }
        do {
            return try Data(contentsOf: file)
        } catch {
            throw AgentError(
                .home, "\(file.path) can't be read (\(error.localizedDescription)). Make it readable for this user.")
        }
    }

    func inode(of file: URL) -> UInt64? {
        Posix.inode(file.path)
    }

    func withLock<Result>(_ file: URL, _ body: () throws -> Result) throws -> Result {
        let lock = try Posix.descriptor(of: file.path, O_RDWR | O_CREAT)
        defer { Posix.shut(lock) }
        guard Posix.lock(lock) else { throw Posix.failure("locked", file.path) }
        return try body()
    }

    func makeFile(_ file: URL) throws -> any WritableFile {
        let descriptor = try Posix.descriptor(of: file.path, O_WRONLY | O_CREAT | O_TRUNC)
        guard let inode = Posix.inode(descriptor) else {
            Posix.shut(descriptor)
            throw Posix.failure("read", file.path)
        }
        return Open(descriptor: descriptor, path: file.path, inode: inode)
    }

    func openFile(_ file: URL) throws -> any WritableFile {
        let descriptor = try Posix.descriptor(of: file.path, O_WRONLY | O_APPEND | O_NOFOLLOW)
        guard let inode = Posix.inode(descriptor) else {
            Posix.shut(descriptor)
            throw Posix.failure("read", file.path)
        }
        return Open(descriptor: descriptor, path: file.path, inode: inode)
    }

    func rename(_ file: URL, to other: URL) throws {
        guard move(file.path, other.path) == 0 else { throw Posix.failure("replaced", other.path) }
    }

    func remove(_ file: URL) {
        unlink(file.path)
    }

    func cut(_ file: URL, to size: Int64) throws {
        guard truncate(file.path, off_t(size)) == 0 else { throw Posix.failure("written", file.path) }
    }

    func synchronise(folder: URL) throws {
        let descriptor = try Posix.descriptor(of: folder.path, O_RDONLY | O_DIRECTORY)
        defer { Posix.shut(descriptor) }
        guard fsync(descriptor) == 0 else { throw Posix.failure("written", folder.path) }
    }

    private struct Open: WritableFile {
        let descriptor: Int32
        let path: String
        let inode: UInt64

        func write(_ data: Data) throws {
            var rest = data[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { put(descriptor, $0.baseAddress, $0.count) }
                if count < 0 {
                    if errno == EINTR { continue }
                    throw Posix.failure("written", path)
                }
                rest = rest.dropFirst(count)
            }
        }

        func synchronise() throws {
            guard fsync(descriptor) == 0 else { throw Posix.failure("written", path) }
        }

        func close() {
            Posix.shut(descriptor)
        }
    }
}

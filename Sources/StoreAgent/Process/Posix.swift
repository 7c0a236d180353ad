// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Under a name that the methods here don't take.
private let put = write

/// The few calls of the operating system that Foundation doesn't have.
enum Posix {
    /// Opens a file whose descriptor children don't inherit; gives the
    /// descriptor, or below 0 the negative `errno`.
    static func tryToOpen(_ path: String, _ flags: Int32, mode: mode_t = 0o600) -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC, mode)
        return descriptor >= 0 ? descriptor : -errno
    }

    /// Opens a file whose descriptor children don't inherit.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    static func descriptor(of path: String, _ flags: Int32) throws -> Int32 {
        let descriptor = tryToOpen(path, flags)
        guard descriptor >= 0 else { throw failure("opened", path) }
        return descriptor
    }

    static func shut(_ descriptor: Int32) {
        _ = close(descriptor)
    }

    /// An error that names what couldn't be done to a path, from `errno`.
    static func failure(_ verb: String, _ path: String) -> AgentError {
        let reason = String(cString: strerror(errno))
        return AgentError(.home, "\(path) can't be \(verb) (\(reason)). Set STOREKIT_HOME to a folder of this user.")
    }

    /// A file that has no name and vanishes with its last descriptor.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    static func unnamedFile() throws -> FileHandle {
        var template = Array((NSTemporaryDirectory() + "/storekit-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure("made", NSTemporaryDirectory()) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Waits for the exclusive lock of an open file; it ends with the file's
    /// last descriptor.
    static func lock(_ descriptor: Int32) -> Bool {
        while flock(descriptor, LOCK_EX) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }

    /// Writes a file so that its path holds either what it held or all of
    /// the new bytes, whatever crashes, and holds them durably on return. The
    /// bytes are asked for when the new file's inode is known.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    static func replace(_ file: URL, temporary name: String, contents: (_ inode: UInt64) throws -> Data) throws {
        let folder = file.deletingLastPathComponent()
        let temporary = folder.appendingPathComponent(name).path
        let descriptor = try descriptor(of: temporary, O_WRONLY | O_CREAT | O_TRUNC)
        var isOpen = true
        defer { if isOpen { shut(descriptor) } }
        do {
            var facts = stat()
            guard fstat(descriptor, &facts) == 0 else { throw failure("read", temporary) }
            try write(contents(UInt64(facts.st_ino)), to: descriptor, path: temporary)
            guard fsync(descriptor) == 0 else { throw failure("written", temporary) }
            shut(descriptor)
            isOpen = false
            guard rename(temporary, file.path) == 0 else { throw failure("replaced", file.path) }
        } catch {
            unlink(temporary)
            throw error
        }
        try sync(folder)
    }

    /// Makes a folder's entries durable.
    private static func sync(_ folder: URL) throws {
        let descriptor = try descriptor(of: folder.path, O_RDONLY | O_DIRECTORY)
        defer { shut(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("written", folder.path) }
    }

    private static func write(_ data: Data, to descriptor: Int32, path: String) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { put(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("written", path)
            }
            rest = rest.dropFirst(count)
        }
    }

    static func inode(_ file: URL) -> UInt64? {
        var facts = stat()
        return stat(file.path, &facts) == 0 ? UInt64(facts.st_ino) : nil
    }
}

extension Posix {
    /// Writes one byte to a pipe; gives 0, or `errno`.
    ///
    /// A pipe that nobody reads raises SIGPIPE, which would end the app. What
    /// the app does with that signal is its own affair, so it is held back for
    /// this one write in this one thread, and taken away where it came.
    static func poke(_ descriptor: Int32) -> Int32 {
        var byte: UInt8 = 1
        #if canImport(Darwin)
        _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
        return put(descriptor, &byte, 1) < 0 ? errno : 0
        #else
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        var before = sigset_t()
        var pending = sigset_t()
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        sigpending(&pending)
        let result = put(descriptor, &byte, 1) < 0 ? errno : 0
        // One that was pending before is the app's.
        if result == EPIPE, sigismember(&pending, SIGPIPE) == 0 {
            var now = timespec(tv_sec: 0, tv_nsec: 0)
            while sigtimedwait(&pipe, nil, &now) < 0, errno == EINTR {}
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        return result
        #endif
    }
}

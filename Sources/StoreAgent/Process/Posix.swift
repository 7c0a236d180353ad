// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The system calls that Foundation doesn't have.
enum Posix {
    /// Opens a file with a descriptor that child processes don't inherit.
    /// Returns the descriptor, or the negative `errno`.
    static func tryToOpen(_ path: String, _ flags: Int32, mode: mode_t = 0o600) -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC, mode)
        return descriptor >= 0 ? descriptor : -errno
    }

    /// Opens a file with a descriptor that child processes don't inherit.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    static func descriptor(of path: String, _ flags: Int32) throws -> Int32 {
        let descriptor = tryToOpen(path, flags)
        guard descriptor >= 0 else { throw failure("opened", path, -descriptor) }
        return descriptor
    }

    static func shut(_ descriptor: Int32) {
        _ = close(descriptor)
    }

    /// Makes an error from an error number that names the operation and the
    /// path.
    static func failure(_ verb: String, _ path: String, _ number: Int32 = errno) -> AgentError {
        let reason = String(cString: strerror(number))
        return AgentError(
            .home, "\(path) can't be \(verb) (\(reason)). Set STOREKIT_HOME to a folder of this user.",
            systemError: number)
    }

    /// Creates a temporary file without a name. It is deleted when its last
    /// descriptor is closed.
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

    /// Waits for the exclusive lock of an open file. The lock is released
    /// when the file's last descriptor is closed.
    static func lock(_ descriptor: Int32) -> Bool {
        while flock(descriptor, LOCK_EX) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }

    /// Whether two paths lead to the same file.
    static func isSameFile(_ path: String, _ other: String) -> Bool {
        var facts = stat()
        var others = stat()
        guard stat(path, &facts) == 0, stat(other, &others) == 0 else { return false }
        return facts.st_dev == others.st_dev && facts.st_ino == others.st_ino
    }

    /// The inode of a file; `nil` when it doesn't exist.
    static func inode(_ path: String) -> UInt64? {
        var facts = stat()
        return stat(path, &facts) == 0 ? UInt64(facts.st_ino) : nil
    }

    /// Whether there is a file, or its folder can't be read.
    static func mayExist(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    /// The inode of an open file; `nil` when it can't be read.
    static func inode(_ descriptor: Int32) -> UInt64? {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 ? UInt64(facts.st_ino) : nil
    }
}

extension Posix {
    /// Writes one byte to a pipe; returns 0 or `errno`.
    ///
    /// Writing to a pipe without a reader raises SIGPIPE, which would end the
    /// app. The app's own handling of that signal must not change, so the
    /// signal is blocked for this write in this thread, and a signal that the
    /// write raised is removed.
    static func poke(_ descriptor: Int32) -> Int32 {
        var byte: UInt8 = 1
        #if canImport(Darwin)
        _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
        return write(descriptor, &byte, 1) < 0 ? errno : 0
        #else
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        var before = sigset_t()
        var pending = sigset_t()
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        sigpending(&pending)
        let result = write(descriptor, &byte, 1) < 0 ? errno : 0
        // A signal that was pending before belongs to the app.
        if result == EPIPE, sigismember(&pending, SIGPIPE) == 0 {
            var now = timespec(tv_sec: 0, tv_nsec: 0)
            while sigtimedwait(&pipe, nil, &now) < 0, errno == EINTR {}
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        return result
        #endif
    }
}

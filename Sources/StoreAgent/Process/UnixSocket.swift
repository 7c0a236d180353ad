// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The system calls of sockets with a path.
enum UnixSocket {
    /// The type of a stream, which Linux declares as an enumeration.
    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif

    /// Connects to a socket. Returns the descriptor, or the negative `errno`.
    static func connect(to file: URL) -> Int32 {
        call(file) { descriptor, address, length in
            #if canImport(Glibc)
            Glibc.connect(descriptor, address, length)
            #else
            Foundation.connect(descriptor, address, length)
            #endif
        }
    }

    /// Makes a socket at a path that only its user can connect to. Returns
    /// the descriptor, or the negative `errno`.
    static func listen(at file: URL) -> Int32 {
        let descriptor = call(file) { descriptor, address, length in
            bind(descriptor, address, length)
        }
        guard descriptor >= 0 else { return descriptor }
        #if canImport(Glibc)
        let isListening = chmod(file.path, 0o600) == 0 && Glibc.listen(descriptor, 64) == 0
        #else
        let isListening = chmod(file.path, 0o600) == 0 && Foundation.listen(descriptor, 64) == 0
        #endif
        guard isListening else {
            let number = errno
            Posix.shut(descriptor)
            return -number
        }
        return descriptor
    }

    /// Whether a program accepts connections at a path, or has so many that
    /// wait that it can't take another one.
    static func isServed(_ file: URL) -> Bool {
        let descriptor = connect(to: file)
        guard descriptor < 0 else {
            Posix.shut(descriptor)
            return true
        }
        return descriptor == -EAGAIN
    }

    /// Whether a descriptor is a socket that accepts connections at a path.
    static func isListening(_ descriptor: Int32, at file: URL) -> Bool {
        var isListening: Int32 = 0
        var size = socklen_t(MemoryLayout.size(ofValue: isListening))
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening != 0 else {
            return false
        }
        return path(of: descriptor).map { Posix.isSameFile($0, file.path) } ?? false
    }

    /// Accepts a connection. Returns the descriptor, or the negative `errno`.
    static func accept(_ listener: Int32) -> Int32 {
        #if canImport(Glibc)
        let descriptor = Glibc.accept(listener, nil, nil)
        #else
        let descriptor = Foundation.accept(listener, nil, nil)
        #endif
        guard descriptor >= 0 else { return -errno }
        prepare(descriptor)
        return descriptor
    }

    /// Sends all bytes; returns 0 or `errno`. A peer that is gone raises no
    /// signal, and one that doesn't read for seconds is an error.
    static func send(_ bytes: Data, to descriptor: Int32) -> Int32 {
        #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
        #else
        let flags: Int32 = 0
        #endif
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                #if canImport(Glibc)
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
                #else
                Foundation.send(descriptor, bytes.baseAddress, bytes.count, flags)
                #endif
            }
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = rest.dropFirst(count)
        }
        return 0
    }

    /// Receives bytes that have arrived; `nil` when there are none yet. They
    /// are empty when the connection has ended.
    static func receive(from descriptor: Int32) -> Data? {
        var buffer = Data(count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
            }
            if count >= 0 { return buffer.prefix(count) }
            if errno == EAGAIN || errno == EWOULDBLOCK { return nil }
            if errno != EINTR { return Data() }
        }
    }

    /// The user of the process at the other end; `nil` when it can't be
    /// known.
    static func user(ofPeer descriptor: Int32) -> uid_t? {
        #if canImport(Glibc)
        // `struct ucred`, which Linux's headers hide from Swift.
        var facts: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
        var length = socklen_t(MemoryLayout.size(ofValue: facts))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &facts, &length) == 0 else { return nil }
        return facts.user
        #else
        var user = uid_t()
        var group = gid_t()
        return getpeereid(descriptor, &user, &group) == 0 ? user : nil
        #endif
    }

    /// The path of a socket; `nil` for another file, and for a socket without
    /// a path.
    static func path(of descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        let path = withUnsafeBytes(of: &address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return path.isEmpty ? nil : path
    }

    /// The socket that the service manager has opened for this process
    /// (`LISTEN_FDS`); `nil` without one.
    static func inherited(_ environment: [String: String]) -> Int32? {
        guard environment["LISTEN_PID"] == String(getpid()), environment["LISTEN_FDS"] == "1" else { return nil }
        let first: Int32 = 3
        _ = fcntl(first, F_SETFD, FD_CLOEXEC)
        return first
    }

    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
        #if !canImport(Glibc)
        var one: Int32 = 1
        _ = setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout.size(ofValue: one)))
        #endif
    }

    private typealias Call = (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32

    /// Makes a socket and calls a function with its address. Closes it when
    /// that fails.
    private static func call(_ file: URL, _ function: Call) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        // An address is short. A longer path is replaced by a short one to
        // the same folder.
        var path = file.path
        var folder: Int32 = -1
        if path.utf8.count > room {
            folder = Posix.tryToOpen(file.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY)
            guard folder >= 0 else { return folder }
            path = "/proc/self/fd/\(folder)/\(file.lastPathComponent)"
        }
        defer { if folder >= 0 { Posix.shut(folder) } }
        guard path.utf8.count <= room else { return -ENAMETOOLONG }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, stream, 0)
        guard descriptor >= 0 else { return -errno }
        prepare(descriptor)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let number = errno
            Posix.shut(descriptor)
            return -number
        }
        return descriptor
    }
}

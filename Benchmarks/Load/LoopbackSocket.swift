// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Sockets for TCP within this machine.
enum LoopbackSocket {
    static func open() throws -> Int32 {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw BenchmarkFailure("socket: \(String(cString: strerror(errno)))") }
        return descriptor
    }

    static func withAddress<T>(port: Int, _ body: (UnsafePointer<sockaddr>?, socklen_t) -> T) -> T {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafeBytes(of: address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { body($0.baseAddress, socklen_t(bytes.count)) }
        }
    }

    /// Disables Nagle's algorithm, which can delay a small request.
    static func sendAtOnce(_ descriptor: Int32) -> Int32 {
        var on: Int32 = 1
        return setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// A port that was free a moment ago.
    static func freePort() throws -> Int {
        let descriptor = try open()
        defer { _ = close(descriptor) }
        return try bindToFreePort(descriptor)
    }

    /// A socket to which clients connect, and which nothing reads; and its
    /// port.
    static func listening() throws -> (descriptor: Int32, port: Int) {
        let descriptor = try open()
        let port = try bindToFreePort(descriptor)
        // More connections than a client of a benchmark opens.
        guard listen(descriptor, 1024) == 0 else {
            throw BenchmarkFailure("listen: \(String(cString: strerror(errno)))")
        }
        return (descriptor, port)
    }

    private static func bindToFreePort(_ descriptor: Int32) throws -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withAddress(port: 0) { bind(descriptor, $0, $1) } == 0
        let isKnown = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { getsockname(descriptor, $0.baseAddress, &length) }
        }
        guard isBound, isKnown == 0 else {
            throw BenchmarkFailure("No free port: \(String(cString: strerror(errno)))")
        }
        return Int(in_port_t(bigEndian: address.sin_port))
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A host and a port, as `127.0.0.1:8080` or `[::1]:8080`.
struct ListenAddress {
    var host: String
    var port: Int
    private let text: String

    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65535).contains(port)
        else { return nil }
        host = String(text[..<colon].drop { $0 == "[" }.prefix { $0 != "]" })
        self.port = port
        self.text = text
        if host.isEmpty { return nil }
    }

    var inUse: CommandFailure {
        CommandFailure("\(text) is in use: stop what listens there, or choose another address with --listen HOST:PORT.")
    }

    /// Checks that a store can listen at the address. This is done before the
    /// store changes anything, because importing its catalogue would change
    /// that of a store that runs already.
    ///
    /// - Throws: ``CommandFailure``.
    func check() throws {
        var hints = addrinfo()
        hints.ai_protocol = Int32(IPPROTO_TCP)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard status == 0, let address = found?.pointee else {
            throw refused(String(cString: gai_strerror(status)))
        }
        let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
        guard descriptor >= 0 else { throw refused(String(cString: strerror(errno))) }
        defer { _ = close(descriptor) }
        // As in the server: a port whose last connections are still being closed is free.
        var yes: Int32 = 1
        _ = setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
            throw errno == EADDRINUSE ? inUse : refused(String(cString: strerror(errno)))
        }
    }

    private func refused(_ reason: String) -> CommandFailure {
        CommandFailure("Nobody can listen at \(text) (\(reason)): choose another address with --listen HOST:PORT.")
    }
}

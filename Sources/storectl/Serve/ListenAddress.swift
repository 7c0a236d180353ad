// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// A host and a port, as `127.0.0.1:8080` or `[::1]:8080`.
struct ListenAddress {
    var host: String
    var port: Int
    /// The address as it was given.
    let text: String
    /// The option that it was given with.
    var option = "--listen"

    /// The default: port 8080 of this machine.
    static let loopback = ListenAddress(host: "127.0.0.1", port: 8080, text: "127.0.0.1:8080")

    /// Reads the argument of `--listen`. Port 0 is any free port.
    ///
    /// - Throws: `ValidationError`.
    static func parse(_ text: String) throws -> ListenAddress {
        try ListenAddress(text, of: "--listen", example: "127.0.0.1:8080", lowestPort: 0)
    }

    /// Reads the argument of `--metrics-listen`.
    ///
    /// - Throws: `ValidationError`.
    static func parseForMetrics(_ text: String) throws -> ListenAddress {
        try ListenAddress(text, of: "--metrics-listen", example: "127.0.0.1:9090", lowestPort: 1)
    }

    /// The default of `--tls-listen`.
    static let names = ListenAddress(host: "127.0.0.1", port: 8443, text: "127.0.0.1:8443", option: "--tls-listen")

    /// Reads the argument of `--tls-listen`. Port 0 is any free port.
    ///
    /// - Throws: `ValidationError`.
    static func parseForNames(_ text: String) throws -> ListenAddress {
        try ListenAddress(text, of: "--tls-listen", example: "127.0.0.1:8443", lowestPort: 0)
    }

    /// Whether only this machine reaches the address.
    var isLoopback: Bool { Self.isLoopback(host: host) }

    /// Whether a host of an address is this machine's loopback interface.
    static func isLoopback(host: String) -> Bool {
        let host = host.drop { $0 == "[" }.prefix { $0 != "]" }
        return host == "localhost" || host == "::1"
            || (host.hasPrefix("127.") && host.allSatisfy(".0123456789".contains))
    }

    private init(host: String, port: Int, text: String, option: String = "--listen") {
        self.host = host
        self.port = port
        self.text = text
        self.option = option
    }

    private init(_ text: String, of option: String, example: String, lowestPort: Int) throws {
        let refusal = ValidationError("\(option) takes HOST:PORT, such as \(example), not \"\(text)\".")
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (lowestPort...65535).contains(port)
        else { throw refusal }
        host = String(text[..<colon].drop { $0 == "[" }.prefix { $0 != "]" })
        self.port = port
        self.text = text
        self.option = option
        if host.isEmpty { throw refusal }
    }

    /// The address at which this machine's processes reach the store.
    var reachableURL: String {
        let host = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
        return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    var inUse: CommandFailure {
        CommandFailure(
            "\(text) is in use: stop the program there, or choose another address with \(option) HOST:PORT.")
    }

    /// Checks that a store can listen at the address. This is done before the
    /// store changes anything, because importing its catalogue would change
    /// that of a store that runs already.
    ///
    /// - Throws: ``CommandFailure``.
    func check() throws {
        close(try bindSocket())
    }

    /// Reserves a free port for a store whose port is 0, and returns the
    /// address with that port.
    ///
    /// The socket is bound and doesn't listen: on Linux no other program gets
    /// the port as a free one, and the server can bind it too (SO_REUSEADDR).
    ///
    /// - Throws: ``CommandFailure``.
    func reserve() throws -> (address: ListenAddress, reservation: PortReservation) {
        let descriptor = try bindSocket()
        let reservation = PortReservation(descriptor: descriptor)
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard status == 0 else { throw refused(String(cString: strerror(errno))) }
        // The port has the same place in the addresses of IPv4 and IPv6.
        let found = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { Int(UInt16(bigEndian: $0.pointee.sin_port)) }
        }
        let name = host.contains(":") ? "[\(host)]" : host
        return (ListenAddress(host: host, port: found, text: "\(name):\(found)", option: option), reservation)
    }

    private func bindSocket() throws -> Int32 {
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
        // As in the server: a port whose last connections are still being closed is free.
        var yes: Int32 = 1
        _ = setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
            let reason = errno
            close(descriptor)
            throw reason == EADDRINUSE ? inUse : refused(String(cString: strerror(reason)))
        }
        return descriptor
    }

    private func refused(_ reason: String) -> CommandFailure {
        CommandFailure("No server can listen at \(text) (\(reason)): choose another address with \(option) HOST:PORT.")
    }
}

/// A bound socket, which keeps its port for this process until the value is
/// destroyed.
final class PortReservation: Sendable {
    private let descriptor: Int32

    fileprivate init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A client that costs little compared with the server that it measures: one
/// connection, one request at a time, on a thread that waits in the kernel. A
/// client with an event loop would use as much of the machine as the server
/// does, and hide half of every difference.
///
/// One thread at a time uses it.
final class HTTPConnection: @unchecked Sendable {  // because one thread at a time uses it
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects to a port of this machine.
    init(port: Int) throws {
        descriptor = try LoopbackSocket.open()
        let connected = LoopbackSocket.withAddress(port: port) { connect(descriptor, $0, $1) }
        guard connected == 0, LoopbackSocket.sendAtOnce(descriptor) == 0 else {
            throw BenchmarkFailure("Port \(port): \(String(cString: strerror(errno)))")
        }
    }

    deinit { _ = close(descriptor) }

    /// Sends a request and waits for its whole response.
    ///
    /// - Throws: ``BenchmarkFailure``, also for any status but 200.
    func post(_ path: String, headers: [String: String] = [:], body: Data) throws -> HTTPResponse {
        var headers = headers
        headers["Content-Length"] = String(body.count)
        return try answer("POST", path, headers: headers, body: body)
    }

    /// Requests a small resource, and waits for the whole response.
    ///
    /// - Throws: ``BenchmarkFailure``, also for any status but 200.
    func get(_ path: String, headers: [String: String] = [:]) throws -> HTTPResponse {
        try answer("GET", path, headers: headers, body: Data())
    }

    private func answer(_ method: String, _ path: String, headers: [String: String], body: Data) throws -> HTTPResponse
    {
        var request = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        for (name, value) in headers { request += "\(name): \(value)\r\n" }
        request += "\r\n"
        try send(Array(request.utf8) + body)
        let response = try receive()
        guard response.status == 200 else {
            throw BenchmarkFailure("\(path): \(response.status) \(String(decoding: response.body, as: UTF8.self))")
        }
        return response
    }

    /// Sends a request for events, and waits until the store has begun the
    /// stream. The rest of it stays in the kernel.
    ///
    /// - Throws: ``BenchmarkFailure``, also for any status but 200.
    func openStream(_ path: String, headers: [String: String], body: Data) throws {
        var request = "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.count)\r\n"
        for (name, value) in headers { request += "\(name): \(value)\r\n" }
        try send(Array((request + "\r\n").utf8) + body)
        while true {
            if let head = HTTPResponse.Head(buffer), buffer.count > head.length {
                guard head.status == 200 else {
                    throw BenchmarkFailure("\(path): \(String(decoding: buffer, as: UTF8.self))")
                }
                buffer = []
                return
            }
            try receiveMore()
        }
    }

    /// Requests a large body.
    ///
    /// - Returns: the number of its bytes that ``drop(_:)`` has to take.
    /// - Throws: ``BenchmarkFailure``, also for any status but 200.
    func begin(_ path: String) throws -> Int {
        try send(Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
        while true {
            if let head = HTTPResponse.Head(buffer) {
                guard head.status == 200, let length = head.contentLength, buffer.count <= head.length + length else {
                    throw BenchmarkFailure("\(path): \(head.status), and not a body of a known length.")
                }
                let rest = head.length + length - buffer.count
                buffer = []
                return rest
            }
            try receiveMore()
        }
    }

    /// Requests a path from which the server redirects.
    ///
    /// - Returns: the address in the answer.
    /// - Throws: ``BenchmarkFailure``, also for any status but 302.
    func redirection(of path: String) throws -> String {
        try send(Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
        let response = try receive()
        guard response.status == 302, let address = response.head["location"] else {
            throw BenchmarkFailure("\(path): \(response.status), and no address of another server.")
        }
        return address
    }

    /// Takes bytes of a body out of the kernel without copying them.
    func drop(_ count: Int) throws {
        var left = count
        while left > 0 {
            #if canImport(Glibc)
            // The kernel counts the bytes and copies none.
            let taken = recv(descriptor, nil, left, Int32(MSG_TRUNC))
            #else
            let taken = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { room in
                read(descriptor, room.baseAddress, min(left, room.count))
            }
            #endif
            guard taken > 0 else {
                throw BenchmarkFailure(
                    taken == 0 ? "The server closed the connection." : String(cString: strerror(errno)))
            }
            left -= taken
        }
    }

    private func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw BenchmarkFailure("Sending: \(String(cString: strerror(errno)))") }
            sent += count
        }
    }

    private func receive() throws -> HTTPResponse {
        while true {
            if let head = HTTPResponse.Head(buffer) {
                guard let length = head.contentLength else {
                    throw BenchmarkFailure("A response has no Content-Length.")
                }
                let end = head.length + length
                while buffer.count < end { try receiveMore() }
                defer { buffer.removeFirst(end) }
                return HTTPResponse(head: head, body: Data(buffer[head.length..<end]))
            }
            try receiveMore()
        }
    }

    private func receiveMore() throws {
        try withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { room in
            let count = read(descriptor, room.baseAddress, room.count)
            guard count > 0 else {
                throw BenchmarkFailure(
                    count == 0 ? "The server closed the connection." : String(cString: strerror(errno)))
            }
            buffer.append(contentsOf: room[..<count])
        }
    }
}

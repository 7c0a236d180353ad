// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Synchronization

/// An HTTP server on a port of this machine that gives each request a scripted
/// answer, byte by byte, and then closes the connection.
package final class StubServer: Sendable {
    /// Answers a request, whose line and fields are the argument.
    package typealias Answering = @Sendable (_ head: String) -> Data

    package let port: UInt16
    private let listener: Int32
    private let heads = Mutex<[String]>([])
    private let isClosed = Mutex(false)

    /// The heads of the requests so far.
    package var requests: [String] { heads.withLock { $0 } }

    /// The address with `http` and the port.
    package var address: URL {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.port) = ("http", "127.0.0.1", Int(port))
        return parts.url ?? URL(fileURLWithPath: "/")
    }

    /// Listens at a free port.
    ///
    /// - Throws: `POSIXError` when there is none.
    package init(_ answering: @escaping Answering) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
        }
        guard listener >= 0, isBound, listen(listener, 16) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        var bound = sockaddr_in()
        var length = size
        _ = withUnsafeMutablePointer(to: &bound) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        port = UInt16(bigEndian: bound.sin_port)
        self.listener = listener
        Thread.detachNewThread { [self] in accept(answering) }
    }

    /// Refuses connections from now on.
    ///
    /// The thread that accepts connections closes the socket. If it were
    /// closed here, the thread could accept connections of another server,
    /// whose socket has got the same number.
    package func close() {
        isClosed.withLock { isClosed in
            guard !isClosed else { return }
            isClosed = true
            shutdown(listener, Int32(SHUT_RDWR))
        }
    }

    private func accept(_ answering: Answering) {
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            guard connection >= 0 else {
                if isClosed.withLock({ $0 }) { Glibc.close(listener) }
                return
            }
            let head = Self.head(of: connection)
            heads.withLock { $0.append(head) }
            let answer = answering(head)
            var rest = answer[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { break }
                rest = rest.dropFirst(count)
            }
            if Self.isComplete(answer) { Self.waitForClose(of: connection) }
            Glibc.close(connection)
        }
    }

    /// Whether an answer has the whole body that its head announces.
    private static func isComplete(_ answer: Data) -> Bool {
        guard let end = answer.firstRange(of: Data("\r\n\r\n".utf8)) else { return false }
        let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
            .flatMap { Int($0.dropFirst("Content-Length: ".count)) }
        return length == answer.distance(from: end.upperBound, to: answer.endIndex)
    }

    /// Waits until the client has closed the connection, as it does after a
    /// complete answer with `Connection: close`. A client whose connection is
    /// closed before it has noticed the end of its request takes the request
    /// for failed.
    private static func waitForClose(of connection: Int32) {
        var byte: UInt8 = 0
        while read(connection, &byte, 1) == 1 {}
    }

    private static func head(of connection: Int32) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), read(connection, &byte, 1) == 1 { bytes.append(byte) }
        let head = String(decoding: bytes, as: UTF8.self)
        skipBody(of: head, on: connection)
        return head
    }

    /// Reads the body of a request: a connection that is closed before is
    /// reset, and the client doesn't get the answer.
    private static func skipBody(of head: String, on connection: Int32) {
        let field = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
        var rest = field.flatMap { Int($0.dropFirst("content-length:".count).drop { $0 == " " }) } ?? 0
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while rest > 0 {
            let count = read(connection, &part, min(rest, part.count))
            guard count > 0 else { return }
            rest -= count
        }
    }
}

extension StubServer {
    /// An answer with a status, fields and a body.
    package static func answer(
        _ status: String, _ fields: [String: String] = [:], _ body: Data = Data(), length: Int? = nil
    )
        -> Data
    {
        var head = "HTTP/1.1 \(status)\r\nContent-Length: \(length ?? body.count)\r\nConnection: close\r\n"
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
        return Data("\(head)\r\n".utf8) + body
    }

    /// An answer as a store gives it to a request for content.
    package static func content(_ object: Data, checksum: String, to head: String) -> Data {
        let fields = head.components(separatedBy: "\r\n")
        let range = fields.first { $0.lowercased().hasPrefix("range: bytes=") }?.split(separator: "=").last
        let bounds = range?.split(separator: "-").compactMap { Int($0) } ?? []
        guard bounds.count == 2 else { return answer("200 OK", ["ETag": "\"\(checksum)\""], object) }
        let part = object[bounds[0]...min(bounds[1], object.count - 1)]
        return answer(
            "206 Partial Content",
            ["ETag": "\"\(checksum)\"", "Content-Range": "bytes \(bounds[0])-\(bounds[1])/\(object.count)"], Data(part))
    }
}

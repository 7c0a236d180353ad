// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import StoreServer

/// Tests requests that ask for another protocol.
struct UpgradeHandlerTests {
    private let channel = EmbeddedChannel(handler: UpgradeHandler())

    private func ask(_ fields: HTTPFields = [:]) throws {
        let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/", headerFields: fields)
        try channel.writeInbound(HTTPRequestPart.head(head))
        try channel.writeInbound(HTTPRequestPart.end(nil))
    }

    /// Writes a response, and returns the field `Connection` that is sent.
    private func respond() throws -> String? {
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        let part = try channel.readOutbound(as: HTTPResponsePart.self)
        _ = try channel.readOutbound(as: HTTPResponsePart.self)
        guard case .head(let head) = part else { return "no head" }
        return head.headerFields[.connection]
    }

    init() throws {
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    @Test("The response to a request for HTTP/2 ends the connection, because its next request wouldn't be read")
    func upgrade() throws {
        try ask([.upgrade: "h2c", .connection: "Upgrade, HTTP2-Settings"])
        let connection = try respond()
        #expect(connection == "close")
        #expect(!channel.isActive)
    }

    @Test("Requests before it are answered, and others keep their connection")
    func others() throws {
        try ask()
        let first = try respond()
        #expect(first == nil && channel.isActive)
        try ask()
        try ask([.upgrade: "h2c", .connection: "Upgrade, HTTP2-Settings"])
        let second = try respond()
        #expect(second == nil && channel.isActive)
        let last = try respond()
        #expect(last == "close" && !channel.isActive)
    }
}

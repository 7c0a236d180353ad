// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix
import StoreAPI
import StoreTestSupport
import Synchronization
import Testing

/// A connection with an open event stream, as of a client without a library.
struct EventConnection: Sendable {
    /// The ways in which a client ends its connection.
    enum End: Sendable {
        case close
        /// The system resets the connection, as after the end of a process
        /// that has left bytes unread.
        case reset
        /// The client sends no more, and goes on reading.
        case halfClose
    }

    private let channel: any Channel
    private let received: ReceivedText

    /// Opens the stream of a device's app at a server on this machine.
    static func open(for device: TestDevice, at port: Int) async throws -> EventConnection {
        let received = ReceivedText()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { $0.pipeline.addHandler(received) }
            .connect(host: "127.0.0.1", port: port).get()
        let connection = EventConnection(channel: channel, received: received)
        let body = "{\"apps\":[{\"bundleIdentifier\":\"\(TestStore.bundleIdentifier)\"}]}"
        try await connection.send(
            """
            POST /device/v1/events HTTP/1.1\r\nHost: localhost\r\n\
            Authorization: \(device.credentials.authorization)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """)
        return connection
    }

    /// The bytes that were received.
    var text: String { received.text }

    func send(_ text: String) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: text))
    }

    func end(_ end: End) async throws {
        switch end {
        case .close: try await channel.close()
        case .reset:
            let options = try #require(channel as? any SocketOptionProvider)
            try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            try await channel.close()
        case .halfClose: try await channel.close(mode: .output)
        }
    }

    /// Returns when the server has closed the connection.
    func closed() async throws { try await channel.closeFuture.get() }
}

/// Collects the text that a channel reads.
private final class ReceivedText: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let collected = Mutex("")

    var text: String { collected.withLock { $0 } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = String(buffer: unwrapInboundIn(data))
        collected.withLock { $0 += part }
    }
}

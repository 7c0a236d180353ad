// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import StoreTestSupport
import Synchronization

/// A download whose client takes nothing until the test lets it. The bytes
/// stay in the kernel, and in the store when the kernel takes no more.
struct HeldDownload: Sendable {
    private let channel: any Channel
    private let received: ReceivedBytes

    /// The bytes of the kernel's buffer for a client.
    static let clientBuffer = 128 << 10

    /// Requests a path of a server on this machine.
    static func begin(_ path: String, at port: Int) async throws -> HeldDownload {
        let received = ReceivedBytes()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: false)
            // A size that is set doesn't grow.
            .channelOption(.socketOption(.so_rcvbuf), value: clientBuffer)
            .channelInitializer { $0.pipeline.addHandler(received) }
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        return HeldDownload(channel: channel, received: received)
    }

    /// Takes all that comes, until it is more than the body: the head, too.
    func take(_ body: Int64) async throws {
        try await channel.setOption(.autoRead, value: true).get()
        try await until { received.count > body }
    }

    func close() async { try? await channel.close() }
}

/// Counts the bytes that a channel has read.
private final class ReceivedBytes: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let bytes = Mutex<Int64>(0)

    var count: Int64 { bytes.withLock { $0 } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let length = unwrapInboundIn(data).readableBytes
        bytes.withLock { $0 += Int64(length) }
    }
}

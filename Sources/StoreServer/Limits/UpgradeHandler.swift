// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes a connection behind the response to a request that asks for another
/// protocol, such as HTTP/2, which the store answers as HTTP/1.1 (RFC 9110,
/// section 7.8).
///
/// The decoder reads no bytes behind such a request. Without the close, a
/// client that sends its next request on the connection, as Java's does, would
/// wait for its response in vain.
final class UpgradeHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var responsesDue = 0
    /// How many responses the connection still has; `nil` while there is no
    /// end of it.
    private var remaining: Int?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            responsesDue += 1
            if head.method == .connect || head.headerFields[.upgrade] != nil { remaining = responsesDue }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where remaining == 1 && head.status.kind != .informational:
            head.headerFields[.connection] = "close"
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            responsesDue -= 1
            remaining = remaining.map { $0 - 1 }
            context.write(data, promise: promise)
            if remaining == 0 {
                context.flush()
                context.close(promise: nil)
            }
        default:
            context.write(data, promise: promise)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Holds one connection to the server's limits: closes it when its client is
/// too slow, and when there are too many.
final class ConnectionLimitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ServerLimits
    private let table: ConnectionTable
    private var admission = ConnectionTable.Admission.full
    private var phase = ConnectionPhase()
    private var expectation: ConnectionPhase.Expectation?
    private var deadline: Scheduled<Void>?
    private var writeDeadline: Scheduled<Void>?
    private var stopDeadline: Scheduled<Void>?

    init(_ limits: ServerLimits, _ table: ConnectionTable) {
        self.limits = limits
        self.table = table
    }

    func handlerAdded(context: ChannelHandlerContext) {
        admission = table.add(context.channel)
        guard admission != .refused else { return context.close(promise: nil) }
        expect(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        table.remove(context.channel)
        for scheduled in [deadline, writeDeadline, stopDeadline] { scheduled?.cancel() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        table.remove(context.channel)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if admission == .healthOnly, !HostMiddleware.exempt.contains(head.path ?? "") {
                return answer(.serviceUnavailable, retryAfter: 2, context)
            }
            phase.readHead()
        case .body: break
        case .end: phase.readEnd()
        }
        expect(context)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        context.write(data, promise: promise)
        switch part {
        case .head(let head) where head.status.kind != .informational: phase.wroteHead()
        case .head, .body: break
        case .end:
            phase.wroteEnd()
            expect(context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            writeDeadline?.cancel()
            writeDeadline = nil
        } else if writeDeadline == nil {
            writeDeadline = close(after: limits.writeDeadline, context)
        }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, stopDeadline == nil {
            stopDeadline = close(after: limits.stopDeadline, context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Gives the client a time for what it has to do next, from the moment at
    /// which that became its turn.
    private func expect(_ context: ChannelHandlerContext) {
        guard phase.expectation != expectation else { return }
        expectation = phase.expectation
        table.setWaiting(expectation != .nothing, context.channel)
        deadline?.cancel()
        deadline =
            switch phase.expectation {
            case .nothing: nil
            case .firstHead:
                close(after: admission == .full ? limits.headDeadline : limits.reservedHeadDeadline, context)
            case .nextHead: close(after: limits.idleDeadline, context)
            case .restOfRefusedBody: close(after: limits.refusedBodyDeadline, context)
            case .body:
                context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.bodyDeadline)) { [self] in
                    if phase.hasResponded {
                        context.close(promise: nil)
                    } else {
                        answer(.requestTimeout, retryAfter: nil, context)
                    }
                }
            }
    }

    private func close(after time: Duration, _ context: ChannelHandlerContext) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
            context.close(promise: nil)
        }
    }

    /// Answers a request in place of the application, and closes.
    private func answer(_ status: HTTPResponse.Status, retryAfter: Int?, _ context: ChannelHandlerContext) {
        var fields: HTTPFields = [.connection: "close", .contentLength: "0"]
        fields[.retryAfter] = retryAfter.map(String.init)
        context.write(wrapOutboundOut(.head(HTTPResponse(status: status, headerFields: fields))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import StoreAPI

/// An event of a route that has checked the sender of a long body.
enum LongBody: Sendable {
    /// The connection gives the body ``ServerLimits/uploadDeadline``, and its
    /// place in the ``ConnectionTable`` counts from the last bytes.
    case begins
    /// The form in the body is complete: the connection gives the bytes after
    /// it ``ServerLimits/bodyDeadline``.
    case ends
}

/// Applies the server's limits to one connection: closes it when its client
/// misses a deadline or sends too many requests without waiting for
/// responses, and answers 503 on a connection that is reserved for health
/// checks.
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
    private var isOver = false
    /// Whether the body that arrives is a long one.
    private var isLong = false
    /// Whether bytes of a long body have arrived since the last look.
    private var hasArrived = false
    private var pauseDeadline: Scheduled<Void>?

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
        for scheduled in [deadline, writeDeadline, stopDeadline, pauseDeadline] { scheduled?.cancel() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        table.remove(context.channel)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The decoder still delivers the bytes in its buffer after the channel is closed.
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if admission == .healthOnly, !HostMiddleware.exempt.contains(head.path ?? "") {
                return answer(StoreFailure(.unavailable, "The store has too many connections.", retryAfter: 2), context)
            }
            guard phase.responsesDue < limits.pipelinedRequests else { return close(context) }
            phase.readHead()
        case .body:
            hasArrived = true
            if isLong { tellTable(context) }
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
        // While the client owes a part of a request, the table knows since when.
        if expectation == .nothing { tellTable(context) }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, stopDeadline == nil {
            stopDeadline = close(after: limits.stopDeadline, context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Starts the deadline of the client's next step when that step has
    /// changed.
    private func expect(_ context: ChannelHandlerContext) {
        guard phase.expectation != expectation else { return }
        expectation = phase.expectation
        isLong = false
        tellTable(context)
        deadline?.cancel()
        pauseDeadline?.cancel()
        deadline =
            switch phase.expectation {
            case .nothing: nil
            case .firstHead:
                close(after: admission == .full ? limits.headDeadline : limits.reservedHeadDeadline, context)
            case .nextHead:
                close(after: admission == .full ? limits.idleDeadline : limits.reservedHeadDeadline, context)
            case .restOfRefusedBody: close(after: limits.refusedBodyDeadline, context)
            case .body: refuseBody(after: limits.bodyDeadline, context)
            }
    }

    /// Ends a request whose body isn't complete after a time.
    private func refuseBody(after time: Duration, _ context: ChannelHandlerContext) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { [self] in refuseBody(context) }
    }

    private func refuseBody(_ context: ChannelHandlerContext) {
        if phase.hasResponded {
            close(context)
        } else {
            answer(StoreFailure(.tooSlow, "The request's body didn't arrive in time."), context)
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let body = event as? LongBody else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        // The body of a later request has the usual deadline.
        if expectation == .body, phase.responsesDue == 1 {
            deadline?.cancel()
            pauseDeadline?.cancel()
            isLong = body == .begins
            deadline = refuseBody(after: isLong ? limits.uploadDeadline : limits.bodyDeadline, context)
            if isLong { lookForBytes(context) }
        }
        promise?.succeed()
    }

    /// Ends a long body of which no byte arrives for a while.
    private func lookForBytes(_ context: ChannelHandlerContext) {
        hasArrived = false
        pauseDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.bodyDeadline)) {
            [self] in
            hasArrived ? lookForBytes(context) : refuseBody(context)
        }
    }

    /// Records whether the server waits for the client: while a part of a
    /// request is missing, or while the client leaves a response unread.
    private func tellTable(_ context: ChannelHandlerContext) {
        table.setWaiting(expectation != .nothing || !context.channel.isWritable, context.channel)
    }

    private func close(after time: Duration, _ context: ChannelHandlerContext) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { [self] in close(context) }
    }

    private func close(_ context: ChannelHandlerContext) {
        isOver = true
        context.close(promise: nil)
    }

    /// Answers a request in place of the application, and closes the
    /// connection.
    private func answer(_ failure: StoreFailure, _ context: ChannelHandlerContext) {
        let body = (try? StoreCoding.encode(StoreFailureBody(error: failure))) ?? Data()
        var fields: HTTPFields = [
            .connection: "close", .contentLength: String(body.count), .contentType: "application/json",
        ]
        fields[.retryAfter] = failure.retryAfter.map(String.init)
        let head = HTTPResponse(status: failure.status, headerFields: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        close(context)
    }
}

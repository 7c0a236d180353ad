// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// The end of the bytes that the client of a connection sends: the client has
/// closed its side, or the connection is lost.
///
/// A response without an end needs it: a server that only writes notices the
/// end of its client when two writes can't be sent.
final class InboundEnd: Sendable {
    private struct State {
        var isReached = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Calls an action at the end, or now if the end is reached already. It
    /// replaces the action before.
    func whenReached(_ action: @escaping @Sendable () -> Void) {
        let isReached = state.withLock { state in
            state.action = state.isReached ? nil : action
            return state.isReached
        }
        if isReached { action() }
    }

    /// Forgets the action, as at the end of a response.
    func forget() {
        state.withLock { $0.action = nil }
    }

    fileprivate func reach() {
        let action = state.withLock { state in
            defer { state = State(isReached: true) }
            return state.action
        }
        action?()
    }
}

/// Notices the end of a connection's inbound bytes.
final class InboundEndHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let end = InboundEnd()

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed = event as? ChannelEvent { end.reach() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end.reach()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end.reach()
    }

    /// The end of a connection; `nil` for one without the handler, as in tests
    /// without a port.
    static func end(of channel: any Channel) async -> InboundEnd? {
        try? await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.handler(type: InboundEndHandler.self).end
        }.get()
    }
}

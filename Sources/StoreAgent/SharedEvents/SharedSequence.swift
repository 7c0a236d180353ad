// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import Synchronization

/// The events of one app of a shared stream that the app hasn't taken yet.
final class SharedSequence: Sendable {
    private struct Received: Sendable {
        var event: StoreEvent
        var size: Int
    }

    /// Decided when the store has opened or refused the app.
    let opening = Completion()
    private let limit: Int
    private let continuation: AsyncThrowingStream<Received, any Error>.Continuation
    private let waiting: Mutex<Int>

    /// Makes a sequence of which at most `limit` bytes wait. `left` is called
    /// when the app drops the sequence, or the sequence ends.
    static func make(
        limit: Int, left: @escaping @Sendable () -> Void
    ) -> (SharedSequence, AsyncThrowingStream<StoreEvent, any Error>) {
        let (received, continuation) = AsyncThrowingStream.makeStream(of: Received.self)
        continuation.onTermination = { _ in left() }
        let sequence = SharedSequence(limit, continuation)
        let events = AsyncThrowingStream<StoreEvent, any Error> {
            for try await one in received {
                sequence.waiting.withLock { $0 -= one.size }
                return one.event
            }
            return nil
        }
        return (sequence, events)
    }

    private init(_ limit: Int, _ continuation: AsyncThrowingStream<Received, any Error>.Continuation) {
        self.limit = limit
        self.continuation = continuation
        waiting = Mutex(0)
    }

    /// Adds an event, of any size if none waits.
    ///
    /// - Returns: `false` when the events that wait leave no room for it.
    func add(_ event: StoreEvent, size: Int) -> Bool {
        let hasRoom = waiting.withLock { waiting in
            guard waiting == 0 || waiting + size <= limit else { return false }
            waiting += size
            return true
        }
        if hasRoom { continuation.yield(Received(event: event, size: size)) }
        return hasRoom
    }

    /// Ends the sequence after the events that wait.
    func end(_ error: (any Error)?) {
        opening.decide(.failure(error ?? Self.ended))
        continuation.finish(throwing: error)
    }

    /// The error of an app that asked for a stream that ended before its
    /// events began.
    private static let ended = ConnectionFailure(reach: .unanswered, underlying: EarlyEnd())

    private struct EarlyEnd: Error, CustomStringConvertible {
        var description: String { "The event stream has ended before the app's events began." }
    }
}

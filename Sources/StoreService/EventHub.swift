// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Wakes the event streams of this process when something was committed.
///
/// It remembers nothing that a device needs: a stream that missed a signal
/// reads the same from the database when it connects again.
package final class EventHub: Sendable {
    /// Why a stream wakes up.
    enum Signal: Sendable {
        case news
        case request(String)
        case accountChanged
        /// Time for a sign of life.
        case heartbeat
    }

    private struct Subscriber {
        var device: String
        var account: String?
        var continuation: AsyncStream<Signal>.Continuation
    }

    private struct State {
        var next = 0
        var subscribers: [Int: Subscriber] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    /// A stream of signals for one device; it ends when the hub closes.
    func subscribe(device: String, account: String?) -> AsyncStream<Signal> {
        let (stream, continuation) = AsyncStream.makeStream(of: Signal.self)
        let key = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            state.next += 1
            state.subscribers[state.next] = Subscriber(device: device, account: account, continuation: continuation)
            return state.next
        }
        guard let key else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.subscribers.removeValue(forKey: key) }
        }
        return stream
    }

    /// An account has a new event.
    package func news(of account: String) {
        signal(.news) { $0.account == account }
    }

    /// A request of a device has news.
    package func request(_ identifier: String, of device: String) {
        signal(.request(identifier)) { $0.device == device }
    }

    /// Another account is signed in on a device, or none.
    package func accountChanged(on device: String) {
        signal(.accountChanged) { $0.device == device }
    }

    /// Every stream shows that it lives.
    package func heartbeat() {
        signal(.heartbeat) { _ in true }
    }

    /// Ends every stream, now and later: the server is stopping.
    package func close() {
        let subscribers = state.withLock { state in
            state.isClosed = true
            return state.subscribers.values.map(\.continuation)
        }
        subscribers.forEach { $0.finish() }
    }

    private func signal(_ signal: Signal, to isMeant: (Subscriber) -> Bool) {
        // Outside the lock: a continuation may call back when it is over.
        let continuations = state.withLock { $0.subscribers.values.filter(isMeant).map(\.continuation) }
        continuations.forEach { $0.yield(signal) }
    }
}

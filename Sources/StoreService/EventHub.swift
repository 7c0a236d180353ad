// SPDX-License-Identifier: Apache-2.0

import StoreAPI
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

    /// One open stream.
    private struct Subscriber {
        var device: String
        var bundleIdentifier: String
        var account: String?
        var continuation: AsyncStream<Signal>.Continuation
    }

    private struct State {
        var next = 0
        var subscribers: [Int: Subscriber] = [:]
        var byDevice: [String: Set<Int>] = [:]
        var byAccount: [String: Set<Int>] = [:]
        var streams = Int.max
        var isClosed = false

        /// Adds a stream; the number is `nil` when the hub is closed. Returns
        /// the stream that has to end for it.
        mutating func add(_ new: Subscriber) throws -> (Int?, AsyncStream<Signal>.Continuation?) {
            guard !isClosed else { return (nil, nil) }
            let ofDevice = byDevice[new.device] ?? []
            let ofApp = ofDevice.filter { subscribers[$0]?.bundleIdentifier == new.bundleIdentifier }
            var ended: AsyncStream<Signal>.Continuation?
            if ofApp.count >= EventHub.streamsOfAnApp, let oldest = ofApp.min() {
                ended = end(oldest)
            } else if ofDevice.count >= EventHub.streamsOfADevice {
                throw StoreFailure(
                    .throttled, "A device has at most \(EventHub.streamsOfADevice) event streams.", retryAfter: 60)
            } else if subscribers.count >= streams {
                ended = try makeRoom(forADeviceOf: ofDevice.count + 1)
            }
            next += 1
            subscribers[next] = new
            byDevice[new.device, default: []].insert(next)
            return (next, ended)
        }

        /// Removes the oldest stream of the device that has most, when it has
        /// more than the newcomer's device would have.
        private mutating func makeRoom(forADeviceOf count: Int) throws -> AsyncStream<Signal>.Continuation? {
            let most = byDevice.values.map(\.count).max() ?? 0
            let oldest = byDevice.values.filter { $0.count == most }.compactMap { $0.min() }.min()
            guard most > count, let oldest else {
                throw StoreFailure(.unavailable, "The store has no room for another event stream.", retryAfter: 10)
            }
            return end(oldest)
        }

        /// Removes a stream, which has to be finished outside of the lock.
        private mutating func end(_ key: Int) -> AsyncStream<Signal>.Continuation? {
            defer { remove(key) }
            return subscribers[key]?.continuation
        }

        mutating func bind(_ key: Int, to account: String?) {
            guard let old = subscribers[key] else { return }
            if let account = old.account { byAccount.remove(key, at: account) }
            if let account { byAccount[account, default: []].insert(key) }
            subscribers[key]?.account = account
        }

        mutating func remove(_ key: Int) {
            bind(key, to: nil)
            if let subscriber = subscribers.removeValue(forKey: key) {
                byDevice.remove(key, at: subscriber.device)
            }
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// What a stream subscribes with.
    struct Subscription: Sendable {
        fileprivate var key: Int?
        var signals: AsyncStream<Signal>
    }

    /// How many signals wait for a reader.
    static let patience = 200
    /// Streams that a device may have for one app. An app has one; a device
    /// whose network went away leaves some behind for a minute.
    static let streamsOfAnApp = 4
    /// Streams that a device may have.
    static let streamsOfADevice = 64

    /// Sets how many streams may be open at a time.
    package func limitStreams(to count: Int) {
        state.withLock { $0.streams = count }
    }

    /// A stream of signals for an app on a device; it ends when the hub
    /// closes, when the device opens too many for the app after it, and when
    /// a device with fewer streams needs its place.
    ///
    /// It ends for a reader that is too slow as well: a signal about a request
    /// comes once, and a device that connects again asks about all of them.
    ///
    /// - Throws: `StoreFailure`: `throttled` when the device has too many
    ///   streams, `unavailable` when the process has, and no device has more
    ///   than this one would.
    func subscribe(device: String, bundleIdentifier: String) throws -> Subscription {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Signal.self, bufferingPolicy: .bufferingOldest(Self.patience))
        let subscriber = Subscriber(
            device: device, bundleIdentifier: bundleIdentifier, account: nil, continuation: continuation)
        let (key, ended) = try state.withLock { try $0.add(subscriber) }
        ended?.finish()
        if let key {
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.remove(key) } }
        } else {
            continuation.finish()
        }
        return Subscription(key: key, signals: stream)
    }

    /// Whose news a subscription is woken by from now on.
    func bind(_ subscription: Subscription, to account: String?) {
        guard let key = subscription.key else { return }
        state.withLock { $0.bind(key, to: account) }
    }

    /// An account has a new event.
    package func news(of account: String) {
        signal(.news) { $0.byAccount[account] }
    }

    /// A request of a device has news.
    package func request(_ identifier: String, of device: String) {
        signal(.request(identifier)) { $0.byDevice[device] }
    }

    /// Another account is signed in on a device, or none.
    package func accountChanged(on device: String) {
        signal(.accountChanged) { $0.byDevice[device] }
    }

    /// Every stream shows that it lives.
    package func heartbeat() {
        signal(.heartbeat) { Set($0.subscribers.keys) }
    }

    /// Ends every stream, now and later: the server is stopping.
    package func close() {
        let continuations = state.withLock { state in
            state.isClosed = true
            return state.subscribers.values.map(\.continuation)
        }
        continuations.forEach { $0.finish() }
    }

    private func signal(_ signal: Signal, to keys: (State) -> Set<Int>?) {
        // Outside the lock: a continuation may call back when it is over.
        let continuations = state.withLock { state in
            (keys(state) ?? []).sorted().compactMap { state.subscribers[$0]?.continuation }
        }
        for continuation in continuations {
            if case .dropped = continuation.yield(signal) { continuation.finish() }
        }
    }
}

extension [String: Set<Int>] {
    fileprivate mutating func remove(_ key: Int, at name: String) {
        self[name]?.remove(key)
        if self[name]?.isEmpty ?? false { self[name] = nil }
    }
}

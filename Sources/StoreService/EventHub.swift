// SPDX-License-Identifier: Apache-2.0

import StoreAPI
package import StoreDomain
import Synchronization

/// Wakes the event streams of this process after a commit.
///
/// It keeps no state that a device needs: a stream reads the events of a
/// missed signal from the database at the next heartbeat, or when it connects
/// again.
package final class EventHub: Sendable {
    /// The reason for waking a stream.
    enum Signal: Sendable {
        case news
        case request(RequestIdentifier)
        case accountChanged
        /// A heartbeat is due.
        case heartbeat
    }

    /// One open stream.
    private struct Subscriber {
        var device: DeviceIdentifier
        var bundleIdentifier: BundleIdentifier
        var account: AccountIdentifier?
        var continuation: AsyncStream<Signal>.Continuation
    }

    private struct State {
        var next = 0
        var subscribers: [Int: Subscriber] = [:]
        var byDevice: [DeviceIdentifier: Set<Int>] = [:]
        var byAccount: [AccountIdentifier: Set<Int>] = [:]
        var streams = Int.max
        var isClosed = false

        /// Adds a stream, and returns its number and the stream that has to
        /// be ended for it. The number is `nil` when the hub is closed.
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

        /// Removes the oldest stream of the device with the most, if it has
        /// more than the new stream's device would have.
        private mutating func makeRoom(forADeviceOf count: Int) throws -> AsyncStream<Signal>.Continuation? {
            let most = byDevice.values.map(\.count).max() ?? 0
            let oldest = byDevice.values.filter { $0.count == most }.compactMap { $0.min() }.min()
            guard most > count, let oldest else {
                throw StoreFailure(.unavailable, "The store has no room for another event stream.", retryAfter: 10)
            }
            return end(oldest)
        }

        /// Removes a stream and returns it; the caller finishes it outside of
        /// the lock.
        private mutating func end(_ key: Int) -> AsyncStream<Signal>.Continuation? {
            defer { remove(key) }
            return subscribers[key]?.continuation
        }

        /// Returns whether the account is another one than before.
        @discardableResult
        mutating func bind(_ key: Int, to account: AccountIdentifier?) -> Bool {
            guard let old = subscribers[key] else { return false }
            if let account = old.account { byAccount.remove(key, at: account) }
            if let account { byAccount[account, default: []].insert(key) }
            subscribers[key]?.account = account
            return account != old.account
        }

        mutating func remove(_ key: Int) {
            bind(key, to: nil)
            if let subscriber = subscribers.removeValue(forKey: key) {
                byDevice.remove(key, at: subscriber.device)
            }
        }
    }

    private let state = Mutex(State())

    private let meters: StoreMeters

    package init(_ meters: StoreMeters) {
        self.meters = meters
    }

    /// The number of open streams.
    var streams: Int { state.withLock { $0.subscribers.count } }

    /// The subscription of a stream.
    struct Subscription: Sendable {
        fileprivate var key: Int?
        var signals: AsyncStream<Signal>
    }

    /// The number of signals that may wait for a reader.
    static let signalLimit = 200
    /// The number of streams that a device may have for one app. An app needs
    /// one; a device that has lost its network leaves some open for a minute.
    static let streamsOfAnApp = 4
    /// The number of streams that a device may have.
    static let streamsOfADevice = 64

    /// Sets the number of streams that may be open at a time.
    package func limitStreams(to count: Int) {
        state.withLock { $0.streams = count }
    }

    /// Subscribes an app on a device. The stream of signals ends when the hub
    /// closes, when the device opens too many later streams for the app, and
    /// when a device with fewer streams needs its place.
    ///
    /// It also ends for a reader that is too slow: a signal about a request
    /// is sent once, and a device that connects again asks about all of its
    /// requests.
    ///
    /// - Throws: `StoreFailure`: `throttled` when the device has too many
    ///   streams, `unavailable` when the process has, and no device has more
    ///   than this one would.
    func subscribe(device: DeviceIdentifier, bundleIdentifier: BundleIdentifier) throws -> Subscription {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Signal.self, bufferingPolicy: .bufferingOldest(Self.signalLimit))
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

    /// Sets the account whose events wake a subscription, and returns whether
    /// it is another one than before.
    @discardableResult
    func bind(_ subscription: Subscription, to account: AccountIdentifier?) -> Bool {
        guard let key = subscription.key else { return false }
        return state.withLock { $0.bind(key, to: account) }
    }

    /// Wakes the streams of an account that has a new event.
    package func news(of account: AccountIdentifier) {
        signal(.news) { $0.byAccount[account] }
    }

    /// Notifies the streams of a device of a change of one of its requests.
    package func request(_ identifier: RequestIdentifier, of device: DeviceIdentifier) {
        signal(.request(identifier)) { $0.byDevice[device] }
    }

    /// Wakes the streams of an account that has a new purchase. The streams of
    /// the requesting device that are of another account are notified of the
    /// request instead: they don't receive the account's events.
    package func purchase(of account: AccountIdentifier, by request: RequestIdentifier, of device: DeviceIdentifier) {
        news(of: account)
        signal(.request(request)) { state in
            state.byDevice[device]?.filter { state.subscribers[$0]?.account != account }
        }
    }

    /// Notifies the streams of a device that another account is signed in on
    /// it, or none.
    package func accountChanged(on device: DeviceIdentifier) {
        signal(.accountChanged) { $0.byDevice[device] }
    }

    /// Makes every stream send a heartbeat.
    package func heartbeat() {
        signal(.heartbeat) { Set($0.subscribers.keys) }
    }

    /// Ends every stream, and those that are opened later: the server stops.
    package func close() {
        let continuations = state.withLock { state in
            state.isClosed = true
            return state.subscribers.values.map(\.continuation)
        }
        continuations.forEach { $0.finish() }
    }

    private func signal(_ signal: Signal, to keys: (State) -> Set<Int>?) {
        // Outside of the lock: a continuation that ends calls onTermination, which takes the lock.
        let continuations = state.withLock { state in
            (keys(state) ?? []).sorted().compactMap { state.subscribers[$0]?.continuation }
        }
        for continuation in continuations {
            if case .dropped = continuation.yield(signal) {
                meters.countDroppedSignal()
                continuation.finish()
            }
        }
    }
}

extension Dictionary where Value == Set<Int> {
    fileprivate mutating func remove(_ key: Int, at name: Key) {
        self[name]?.remove(key)
        if self[name]?.isEmpty ?? false { self[name] = nil }
    }
}

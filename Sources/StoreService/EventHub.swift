// SPDX-License-Identifier: Apache-2.0

import StoreAPI
package import StoreDomain
import Synchronization

/// Wakes the event streams of this process when an announcement tells of a
/// commit of any node.
///
/// It keeps no state that a device needs: events and news are numbered rows,
/// and ``StoreService/catchUp()`` finds those whose announcement was lost.
package final class EventHub: Sendable {
    /// The reason for waking a stream.
    enum Signal: Sendable {
        /// The account has new events, or another account is signed in.
        case events
        case deviceNews
        /// A heartbeat is due.
        case heartbeat
    }

    /// A signal to one of a stream's apps.
    struct Wake: Sendable {
        /// The subscription of the app; `nil` for a heartbeat, which is that
        /// of the stream.
        var key: Int?
        var signal: Signal
    }

    let state = Mutex(State())

    private let meters: StoreMeters

    package init(_ meters: StoreMeters) {
        self.meters = meters
    }

    /// The number of open streams.
    var streams: Int { state.withLock { $0.streams.count } }

    /// The number of apps in the open streams.
    var apps: Int { state.withLock { $0.subscribers.count } }

    /// The subscription of an app. Those of a stream have its signals in
    /// common.
    struct Subscription: Sendable {
        fileprivate(set) var key: Int?
        fileprivate(set) var stream: Int?
        var signals: AsyncStream<Wake>
    }

    /// The number of signals for each app of a stream that may wait for a
    /// reader.
    static let signalLimit = 200
    /// The number of streams that a device may have for one app. An app needs
    /// one; a device that has lost its network leaves some open for a minute.
    static let streamsOfAnApp = 4
    /// The number of apps in all streams of a device. An app that is in
    /// several streams counts in each.
    static let appsOfADevice = 64

    /// The number of parts into which the open streams are divided, so that
    /// not all of them write at the same moment.
    package static let heartbeatParts = 20

    /// Sets the number of apps that may be in the open streams at a time. An
    /// app that is in several streams counts in each.
    package func limitStreams(to count: Int) {
        state.withLock { $0.limit = count }
    }

    /// Subscribes an app on a device, which is alone in its stream.
    ///
    /// - Throws: `StoreFailure`, as for several apps.
    func subscribe(device: DeviceIdentifier, bundleIdentifier: BundleIdentifier) throws -> Subscription {
        try subscribe(device: device, bundleIdentifiers: [bundleIdentifier])[0]
    }

    /// Subscribes the apps of one stream. The signals end when the hub closes,
    /// when the device opens too many later streams for one of the apps, and
    /// when a device with fewer apps needs their place.
    ///
    /// They also end for a reader that is too slow. The device connects again
    /// then, and reads on from its positions.
    ///
    /// - Throws: `StoreFailure`: `throttled` when the device has too many
    ///   apps in its streams, `unavailable` when the process has, and no
    ///   device has more than this one would.
    func subscribe(device: DeviceIdentifier, bundleIdentifiers: [BundleIdentifier]) throws -> [Subscription] {
        let (signals, continuation) = AsyncStream.makeStream(
            of: Wake.self, bufferingPolicy: .bufferingOldest(Self.signalLimit * max(1, bundleIdentifiers.count)))
        var ended: [AsyncStream<Wake>.Continuation] = []
        defer { ended.forEach { $0.finish() } }
        let added = try state.withLock {
            try $0.add(bundleIdentifiers, of: device, continuation, ending: &ended)
        }
        guard let added else {
            continuation.finish()
            return bundleIdentifiers.map { _ in Subscription(key: nil, signals: signals) }
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.remove(stream: added.stream) } }
        return added.keys.map { Subscription(key: $0, stream: added.stream, signals: signals) }
    }

    /// Ends one subscription of a stream. The others go on.
    func leave(_ subscription: Subscription) {
        guard let key = subscription.key else { return }
        state.withLock { $0.remove(key) }
    }

    /// Ends the stream of a subscription, whose client has left, and frees the
    /// places of all of its apps.
    func endStream(of subscription: Subscription) {
        guard let stream = subscription.stream else { return }
        let continuation = state.withLock { $0.streams[stream]?.continuation }
        continuation?.finish()
    }

    /// Sets the account whose events wake a subscription, and returns whether
    /// it is another one than before.
    @discardableResult
    func bind(_ subscription: Subscription, to account: AccountIdentifier?) -> Bool {
        guard let key = subscription.key else { return false }
        return state.withLock { $0.bind(key, to: account) }
    }

    /// Records up to which event of its account a stream has read.
    func noteRead(_ subscription: Subscription, events number: Int64) {
        guard let key = subscription.key else { return }
        state.withLock { $0.subscribers[key]?.events.read = number }
    }

    /// Records up to which news of its device a stream has read.
    func noteRead(_ subscription: Subscription, deviceNews number: Int64) {
        guard let key = subscription.key else { return }
        state.withLock { $0.subscribers[key]?.deviceNews.read = number }
    }

    /// Wakes the streams of the accounts and devices whose newest numbers are
    /// announced, unless they have read or were woken for those already.
    package func receive(_ announcements: [Announcement]) {
        for announcement in announcements {
            let number = announcement.number
            switch announcement.subject {
            case .account(let account):
                signal(.events) { state in
                    let keys = state.byAccount[account] ?? []
                    return keys.filter { state.subscribers[$0]?.events.announce(number) ?? false }
                }
            case .device(let device):
                signal(.deviceNews) { state in
                    let keys = state.byDevice[device] ?? []
                    return keys.filter { state.subscribers[$0]?.deviceNews.announce(number) ?? false }
                }
            }
        }
    }

    /// Makes the streams of one part send a heartbeat. After as many calls as
    /// there are parts, every stream has sent one.
    package func heartbeat() {
        yield(
            state.withLock { state in
                state.takeHeartbeatPart().sorted().compactMap { stream in
                    state.streams[stream].map { ($0.continuation, Wake(key: nil, signal: .heartbeat)) }
                }
            })
    }

    /// Ends every stream, and those that are opened later: the server stops.
    package func close() {
        let continuations = state.withLock { state in
            state.isClosed = true
            return state.streams.values.map(\.continuation)
        }
        continuations.forEach { $0.finish() }
    }

    /// Ends the streams of devices that the store doesn't know any more. The
    /// devices connect again, and register.
    func end(streamsOf devices: some Sequence<DeviceIdentifier>) {
        let continuations = state.withLock { state in
            Set(devices.flatMap { state.byDevice[$0] ?? [] }.compactMap { state.subscribers[$0]?.stream })
                .sorted().compactMap { state.streams[$0]?.continuation }
        }
        continuations.forEach { $0.finish() }
    }

    func signal(_ signal: Signal, to keys: (inout State) -> Set<Int>) {
        yield(
            state.withLock { state in
                keys(&state).sorted().compactMap { key in
                    state.subscribers[key].flatMap { state.streams[$0.stream] }
                        .map { ($0.continuation, Wake(key: key, signal: signal)) }
                }
            })
    }

    /// Called outside of the lock: a continuation that ends calls
    /// onTermination, which takes the lock.
    private func yield(_ wakes: [(AsyncStream<Wake>.Continuation, Wake)]) {
        for (continuation, wake) in wakes {
            if case .dropped = continuation.yield(wake) {
                meters.countDroppedSignal()
                continuation.finish()
            }
        }
    }
}

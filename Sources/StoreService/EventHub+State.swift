// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain

extension EventHub {
    /// How far a stream has read a sequence of numbered rows.
    struct Progress {
        /// The number up to which the stream has read.
        var read: Int64 = 0
        /// The highest number for which the stream was woken.
        var announced: Int64 = 0

        /// Records an announced number. Returns whether the stream has to be
        /// woken for it.
        mutating func announce(_ number: Int64) -> Bool {
            guard number > max(read, announced) else { return false }
            announced = number
            return true
        }
    }

    /// One open stream.
    struct Subscriber {
        var device: DeviceIdentifier
        var bundleIdentifier: BundleIdentifier
        var account: AccountIdentifier?
        /// The events of the account.
        var events = Progress()
        var deviceNews = Progress()
        var continuation: AsyncStream<Signal>.Continuation
    }

    /// The open streams, by device, by account and by the part of a round of
    /// heartbeats.
    struct State {
        var next = 0
        var subscribers: [Int: Subscriber] = [:]
        var byDevice: [DeviceIdentifier: Set<Int>] = [:]
        var byAccount: [AccountIdentifier: Set<Int>] = [:]
        /// The streams of each part, which differ by one if none was closed.
        private var byPart: [Int: Set<Int>] = [:]
        /// The part that sends heartbeats next.
        private var part = 0
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
            byPart[next % EventHub.heartbeatParts, default: []].insert(next)
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
            guard account != old.account else { return false }
            if let account = old.account { byAccount.remove(key, at: account) }
            if let account { byAccount[account, default: []].insert(key) }
            subscribers[key]?.account = account
            // The numbers of another account say nothing about this one's.
            subscribers[key]?.events = Progress()
            return true
        }

        mutating func remove(_ key: Int) {
            bind(key, to: nil)
            if let subscriber = subscribers.removeValue(forKey: key) {
                byDevice.remove(key, at: subscriber.device)
                byPart.remove(key, at: key % EventHub.heartbeatParts)
            }
        }

        /// Returns the streams that send a heartbeat now.
        mutating func takeHeartbeatPart() -> Set<Int> {
            defer { part = (part + 1) % EventHub.heartbeatParts }
            return byPart[part] ?? []
        }
    }
}

extension Dictionary where Value == Set<Int> {
    fileprivate mutating func remove(_ key: Int, at name: Key) {
        self[name]?.remove(key)
        if self[name]?.isEmpty ?? false { self[name] = nil }
    }
}

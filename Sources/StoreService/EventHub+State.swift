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

    /// An app of an open stream.
    struct Subscriber {
        var device: DeviceIdentifier
        var bundleIdentifier: BundleIdentifier
        var stream: Int
        var account: AccountIdentifier?
        /// The events of the account.
        var events = Progress()
        var deviceNews = Progress()
    }

    /// An open stream, and the subscriptions of its apps.
    struct Stream {
        var keys: Set<Int>
        var continuation: AsyncStream<Wake>.Continuation
    }

    /// The open streams by the part of a round of heartbeats, and their apps
    /// by device and by account.
    struct State {
        private var next = 0
        var streams: [Int: Stream] = [:]
        var subscribers: [Int: Subscriber] = [:]
        var byDevice: [DeviceIdentifier: Set<Int>] = [:]
        var byAccount: [AccountIdentifier: Set<Int>] = [:]
        /// The streams of each part, which differ by one if none was closed.
        private var byPart: [Int: Set<Int>] = [:]
        /// The part that sends heartbeats next.
        private var part = 0
        private var nextStream = 0
        var limit = Int.max
        var isClosed = false

        /// Adds a stream of some apps, and returns its number and those of
        /// the apps; `nil` when the hub is closed. Adds the streams that have
        /// to be finished for it to `ended`, also when it throws.
        mutating func add(
            _ apps: [BundleIdentifier], of device: DeviceIdentifier, _ continuation: AsyncStream<Wake>.Continuation,
            ending ended: inout [AsyncStream<Wake>.Continuation]
        ) throws -> (stream: Int, keys: [Int])? {
            guard !isClosed else { return nil }
            for app in apps {
                let older = streams(of: device) { $0.bundleIdentifier == app }
                ended += older.dropLast(EventHub.streamsOfAnApp - 1).compactMap { end($0) }
            }
            // A device that opens its stream anew, with another app, needs the older ones no more.
            for stream in streams(of: device, where: { apps.contains($0.bundleIdentifier) })
            where parts(of: device) + apps.count > EventHub.appsOfADevice {
                ended += [end(stream)].compactMap { $0 }
            }
            guard parts(of: device) + apps.count <= EventHub.appsOfADevice else {
                throw StoreFailure(
                    .throttled, "A device has at most \(EventHub.appsOfADevice) apps in its event streams.",
                    retryAfter: 60)
            }
            while subscribers.count + apps.count > limit {
                ended += [try makeRoom(forADeviceOf: parts(of: device) + apps.count)].compactMap { $0 }
            }
            return insert(apps, of: device, continuation)
        }

        private mutating func insert(
            _ apps: [BundleIdentifier], of device: DeviceIdentifier, _ continuation: AsyncStream<Wake>.Continuation
        ) -> (stream: Int, keys: [Int]) {
            nextStream += 1
            let keys = apps.map { app in
                next += 1
                subscribers[next] = Subscriber(device: device, bundleIdentifier: app, stream: nextStream)
                return next
            }
            byDevice[device, default: []].formUnion(keys)
            byPart[nextStream % EventHub.heartbeatParts, default: []].insert(nextStream)
            streams[nextStream] = Stream(keys: Set(keys), continuation: continuation)
            return (nextStream, keys)
        }

        /// The number of apps in all streams of a device.
        private func parts(of device: DeviceIdentifier) -> Int { byDevice[device]?.count ?? 0 }

        /// The streams of a device that have a certain app, oldest first.
        private func streams(of device: DeviceIdentifier, where isSo: (Subscriber) -> Bool) -> [Int] {
            let found = (byDevice[device] ?? []).compactMap { subscribers[$0] }.filter(isSo).map(\.stream)
            return Set(found).sorted()
        }

        /// Removes the oldest stream of the device with the most apps in its
        /// streams, if it has more than the new stream's device would have.
        private mutating func makeRoom(forADeviceOf count: Int) throws -> AsyncStream<Wake>.Continuation? {
            let most = byDevice.values.map(\.count).max() ?? 0
            let oldest = byDevice.values.filter { $0.count == most }.compactMap { $0.min() }.min()
            guard most > count, let oldest, let stream = subscribers[oldest]?.stream else {
                throw StoreFailure(.unavailable, "The store has no room for another event stream.", retryAfter: 10)
            }
            return end(stream)
        }

        /// Removes a stream and returns it; the caller finishes it outside of
        /// the lock.
        private mutating func end(_ stream: Int) -> AsyncStream<Wake>.Continuation? {
            defer { remove(stream: stream) }
            return streams[stream]?.continuation
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

        /// Removes an app from its stream.
        mutating func remove(_ key: Int) {
            bind(key, to: nil)
            if let subscriber = subscribers.removeValue(forKey: key) {
                byDevice.remove(key, at: subscriber.device)
                streams[subscriber.stream]?.keys.remove(key)
            }
        }

        /// Removes a stream with all of its apps.
        mutating func remove(stream: Int) {
            for key in streams[stream]?.keys ?? [] { remove(key) }
            streams[stream] = nil
            byPart.remove(stream, at: stream % EventHub.heartbeatParts)
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

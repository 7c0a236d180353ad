// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreAPI
import StoreDomain

/// The events of some apps of one device in one stream, each app's in the
/// order in which the account's transactions commit them.
///
/// Each app has a feed with its own position. The feeds are read in sequence,
/// as fast as the stream's reader takes the events.
package actor SharedFeed {
    /// An element of the stream.
    package enum Item: Sendable {
        /// An event of the app at a place of the request, from 0.
        case event(StoreEvent, place: Int)
        /// A heartbeat of the stream: the connection is open.
        case heartbeat
    }

    /// An app whose events haven't ended.
    private struct Part {
        enum State {
            case waiting
            /// The feed has begun, and the device doesn't know it.
            case begun
            case open
        }

        let place: Int
        let app: StreamedApp
        let feed: EventFeed
        var state = State.waiting
    }

    private let service: StoreService
    /// One of the stream's subscriptions.
    private let subscription: EventHub.Subscription?
    private var refusals: [(place: Int, failure: StoreFailure)]
    private var parts: [Part]
    private var signals: AsyncStream<EventHub.Wake>.Iterator?

    /// Subscribes to the news of the device for the apps at some places of a
    /// request. The other apps are refused.
    ///
    /// - Throws: The errors of `EventHub.subscribe`.
    init(
        _ service: StoreService, _ apps: [(place: Int, app: StreamedApp)], of credentials: DeviceCredentials,
        refusals: [(place: Int, failure: StoreFailure)]
    ) throws {
        self.service = service
        self.refusals = refusals
        let device = DeviceIdentifier(credentials.identifier)
        let subscriptions = try service.hub.subscribe(
            device: device, bundleIdentifiers: apps.map { BundleIdentifier($0.app.bundleIdentifier) })
        subscription = subscriptions.first
        signals = subscriptions.first?.signals.makeAsyncIterator()
        parts = zip(apps, subscriptions).map { app, subscription in
            Part(
                place: app.place, app: app.app, feed: EventFeed(service, device, app.app, subscription))
        }
    }

    /// Begins the events of the first app, so that a store that can't read
    /// its database refuses the request. The others' begin when the first
    /// events have left: a request needs no more memory than that of one app.
    func begin() async throws {
        guard let first = parts.first else { return }
        try await first.feed.begin()
        parts[0].state = .begun
    }

    /// The next item; `nil` when the events of all apps have ended, the
    /// server stops, or the hub has ended the stream.
    package func next() async -> Item? {
        while true {
            if !refusals.isEmpty {
                let refused = refusals.removeFirst()
                return .event(.refused(refused.failure), place: refused.place)
            }
            if let item = await ready() { return item }
            guard !parts.isEmpty, var iterator = signals else { return nil }
            let wake = await iterator.next(isolation: #isolation)
            signals = iterator
            guard let wake else { return nil }
            guard let key = wake.key else {
                for part in parts where part.state != .waiting { await part.feed.recordUse() }
                return .heartbeat
            }
            if let item = await handle(wake.signal, of: key) { return item }
        }
    }

    /// Ends the feed after the events that are there without waiting, and
    /// frees its place in the hub before it returns. Call it when the client
    /// has closed the connection.
    package nonisolated func end() {
        if let subscription { service.hub.endStream(of: subscription) }
    }

    /// The next event that is there without waiting for a signal.
    private func ready() async -> Item? {
        var index = 0
        while index < parts.count {
            let part = parts[index]
            do {
                switch part.state {
                case .waiting:
                    try await part.feed.begin()
                    parts[index].state = .begun
                case .begun:
                    parts[index].state = .open
                    return .event(.opened(newsNumber: await part.feed.newsNumberAtBegin), place: part.place)
                case .open:
                    if let event = try await part.feed.ready() { return .event(event, place: part.place) }
                    if await part.feed.isOver { end(index) } else { index += 1 }
                }
            } catch {
                return refuse(index, error)
            }
        }
        return nil
    }

    /// Reads the rows that a signal announces. Returns the refusal of an app
    /// whose rows can't be read.
    private func handle(_ signal: EventHub.Signal, of key: Int) async -> Item? {
        // A feed that hasn't begun reads all rows when it does.
        guard let index = parts.firstIndex(where: { $0.feed.subscription.key == key }), parts[index].state != .waiting
        else { return nil }
        do {
            try await parts[index].feed.handle(signal)
            return nil
        } catch {
            return refuse(index, error)
        }
    }

    private func refuse(_ index: Int, _ error: any Error) -> Item {
        let place = parts[index].place
        end(index)
        return .event(.refused(service.failure(of: error, at: StorePath.events.rawValue)), place: place)
    }

    private func end(_ index: Int) {
        service.hub.leave(parts.remove(at: index).feed.subscription)
    }
}

extension StoreService {
    /// Opens the event stream of some apps of a device, by an encoded
    /// ``EventsCall``.
    ///
    /// An app that isn't registered is refused in the stream, and doesn't end
    /// it. A request all of whose apps are refused is refused itself.
    ///
    /// - Throws: `StoreFailure`: `malformed`, `invalid` for no app and for one
    ///   that is named twice, `notFound` when no app is registered,
    ///   `throttled` or `unavailable` for too many streams.
    package func events(_ body: Data, of device: AdmittedDevice) async throws -> SharedFeed {
        let call = try decode(EventsCall.self, from: body, of: StorePath.events.rawValue)
        return try await events(call, of: device)
    }

    /// Opens the event stream of some apps of a device.
    ///
    /// - Throws: `StoreFailure`, as for an encoded call.
    package func events(_ call: EventsCall, of device: AdmittedDevice) async throws -> SharedFeed {
        guard !call.apps.isEmpty, Set(call.apps.map(\.bundleIdentifier)).count == call.apps.count else {
            throw StoreFailure(
                .invalid, "apps names 1 to \(StreamedApps.count) apps of this device, and none of them twice.")
        }
        do {
            var known: [(place: Int, app: StreamedApp)] = []
            var refusals: [(place: Int, failure: StoreFailure)] = []
            for (place, app) in call.apps.enumerated() {
                do {
                    try await requireApp(BundleIdentifier(app.bundleIdentifier))
                    known.append((place, app))
                } catch let failure as StoreFailure where failure.code == .notFound {
                    refusals.append((place, failure))
                }
            }
            if known.isEmpty, let refusal = refusals.first { throw refusal.failure }
            let feed = try SharedFeed(self, known, of: device.credentials, refusals: refusals)
            try await feed.begin()
            return feed
        } catch {
            throw failure(of: error, at: StorePath.events.rawValue)
        }
    }
}

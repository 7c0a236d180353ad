// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreTestSupport
import Testing

@testable import StoreService

/// The events of several apps of a device in one stream.
@Suite(.timeLimit(.hang))
struct SharedFeedTests {
    private static let first = TestStore.bundleIdentifier
    private static let second = TestStore.secondApp

    private func open(_ apps: [StreamedApp], of device: TestDevice) async throws -> SharedFeed {
        let service = device.store.service
        return try await service.events(
            try StoreCoding.encode(EventsCall(apps: apps)), of: try await service.admit(device.credentials, to: .events)
        )
    }

    /// The next event and its place; heartbeats are left out.
    private func next(of feed: SharedFeed) async -> (event: StoreEvent, place: Int)? {
        while let item = await feed.next() {
            if case .event(let event, let place) = item { return (event, place) }
        }
        return nil
    }

    /// Reads the first events of two apps that begin without a position.
    private func readBegin(of feed: SharedFeed) async throws {
        for place in 0...1 {
            let (opened, snapshot) = (try #require(await next(of: feed)), try #require(await next(of: feed)))
            #expect(opened.event.content is OpenedEvent && opened.place == place)
            #expect(snapshot.event.content is SnapshotEvent && snapshot.place == place)
        }
    }

    private func withTwoApps(
        _ engine: Engine, _ body: (TestStore, Account, TestDevice) async throws -> Void
    ) async throws {
        try await engine.withStore { store in
            try await store.openSecondApp()
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.signIn(anna)
            try await body(store, anna, phone)
        }
    }

    @Test("One stream brings each app its own purchases", arguments: Engine.stores)
    func ownPurchases(engine: Engine) async throws {
        try await withTwoApps(engine) { store, anna, phone in
            let feed = try await open(
                [StreamedApp(bundleIdentifier: Self.first), StreamedApp(bundleIdentifier: Self.second)], of: phone)
            try await readBegin(of: feed)
            #expect(store.service.openStreams == 1 && store.service.streamedApps == 2)

            try await phone.buyElsewhere("juice", request: "1", as: anna)

            var arrivals: [Int: String] = [:]
            var positions: [Int: Int64] = [:]
            while positions[0] == nil || positions[1] == nil {
                let (event, place) = try #require(await next(of: feed))
                guard let numbered = event.content as? any NumberedEvent else { continue }
                positions[place] = numbered.position.number
                if let arrival = numbered as? TransactionEvent {
                    arrivals[place] = arrival.transaction.productIdentifier
                }
            }
            #expect(arrivals == [1: "juice"])
            #expect(positions[0] == positions[1])
        }
    }

    @Test("Each app goes on after its own position and its own number of news", arguments: Engine.stores)
    func ownPositions(engine: Engine) async throws {
        try await withTwoApps(engine) { _, anna, phone in
            try await phone.buy("apple", request: "1", as: anna)
            try await phone.buy("pear", request: "2", as: anna)
            let newest = try await open([StreamedApp(bundleIdentifier: Self.first)], of: phone)
            let opened = try #require(await next(of: newest)?.event.content as? OpenedEvent)
            func position(_ number: Int64) -> EventPosition {
                EventPosition(account: anna.identifier.rawValue, number: number)
            }

            let feed = try await open(
                [
                    StreamedApp(bundleIdentifier: Self.first, position: position(1), newsNumber: opened.newsNumber),
                    StreamedApp(bundleIdentifier: Self.second, position: position(0), newsNumber: 0),
                ], of: phone)

            var numbers: [Int: [Int64]] = [0: [], 1: []]
            var news: [Int: Int] = [:]
            while numbers[1]?.last != 2 {
                let (event, place) = try #require(await next(of: feed))
                if let numbered = event.content as? any NumberedEvent {
                    numbers[place]?.append(numbered.position.number)
                }
                if event.content is RequestEvent { news[place, default: 0] += 1 }
                if let begun = event.content as? OpenedEvent {
                    #expect(begun.newsNumber == (place == 0 ? opened.newsNumber : 0))
                }
            }
            #expect(numbers[0] == [2])
            #expect(news[0] == nil)
        }
    }

    @Test("An app that isn't registered is refused in the stream, and the others go on", arguments: Engine.stores)
    func unknownApp(engine: Engine) async throws {
        try await withTwoApps(engine) { store, anna, phone in
            let feed = try await open(
                [StreamedApp(bundleIdentifier: "com.example.unknown"), StreamedApp(bundleIdentifier: Self.first)],
                of: phone)
            let refused = try #require(await next(of: feed))
            #expect((refused.event.content as? RefusedEvent)?.failure.code == .notFound && refused.place == 0)
            #expect(await next(of: feed)?.place == 1)
            #expect(store.service.streamedApps == 1)

            try await phone.buy("apple", request: "1", as: anna)
            var event: StoreEvent?
            while !(event?.content is TransactionEvent) {
                let found = try #require(await next(of: feed))
                #expect(found.place == 1)
                event = found.event
            }
        }
    }

    @Test("A request for no app, for one app twice or for unknown apps only is refused", arguments: Engine.stores)
    func refusedRequests(engine: Engine) async throws {
        try await withTwoApps(engine) { store, _, phone in
            let app = StreamedApp(bundleIdentifier: Self.first)
            let many = (0...StreamedApps.count).map { StreamedApp(bundleIdentifier: "\($0)") }
            let requests: [([StreamedApp], StoreFailure.Code)] = [
                ([], .invalid), ([app, app], .invalid), (many, .invalid), (Array(many.dropLast()), .notFound),
            ]
            for (apps, code) in requests {
                let failure = await #expect(throws: StoreFailure.self) { try await open(apps, of: phone) }
                #expect(failure?.code == code, "\(apps.count) apps")
            }
            #expect(store.service.openStreams == 0 && store.service.streamedApps == 0)
        }
    }

    @Test("A sign-out ends the events of every app, and then the stream", arguments: Engine.stores)
    func signOut(engine: Engine) async throws {
        try await withTwoApps(engine) { store, _, phone in
            let feed = try await open(
                [StreamedApp(bundleIdentifier: Self.first), StreamedApp(bundleIdentifier: Self.second)], of: phone)
            try await readBegin(of: feed)

            _ = try await phone.call(SignOutCall(requestIdentifier: "out"))

            var last: [Int: StoreEvent] = [:]
            while let (event, place) = await next(of: feed) { last[place] = event }
            #expect(last.count == 2)
            #expect(last.values.allSatisfy { $0.content is AccountChangedEvent }, "\(last)")
            #expect(store.service.streamedApps == 0)
        }
    }

    @Test("A stream has one heartbeat, however many apps it has", arguments: Engine.stores)
    func heartbeat(engine: Engine) async throws {
        try await withTwoApps(engine) { store, _, phone in
            let feed = try await open(
                [StreamedApp(bundleIdentifier: Self.first), StreamedApp(bundleIdentifier: Self.second)], of: phone)
            try await readBegin(of: feed)
            store.service.hub.heartbeatOfAll()
            store.service.hub.close()
            var heartbeats = 0
            while let item = await feed.next() {
                guard case .heartbeat = item else { continue }
                heartbeats += 1
            }
            #expect(heartbeats == 1)
        }
    }

    @Test("An app whose rows can't be read is refused, and its part of the stream ends", arguments: Engine.stores)
    func unreadableRows(engine: Engine) async throws {
        try await withTwoApps(engine) { store, _, phone in
            let feed = try await open(
                [StreamedApp(bundleIdentifier: Self.first), StreamedApp(bundleIdentifier: Self.second)], of: phone)
            try await readBegin(of: feed)
            // The stream reads the table of news only when the device's number has grown.
            try await store.context.database.write {
                _ = try $0.run("UPDATE device SET news_number = news_number + 1")
                _ = try $0.run("ALTER TABLE device_news RENAME TO other")
            }

            store.service.hub.receive([
                Announcement(.device(DeviceIdentifier(phone.credentials.identifier)), 1_000)
            ])

            for place in 0...1 {
                let refused = try #require(await next(of: feed))
                #expect((refused.event.content as? RefusedEvent)?.failure.code == .internalError)
                #expect(refused.place == place && store.service.streamedApps == 1 - place)
            }
            #expect(await next(of: feed) == nil)
        }
    }
}

/// The limits of apps in event streams.
struct SharedStreamLimitTests {
    private typealias Continuation = AsyncStream<EventHub.Wake>.Continuation

    private func add(
        _ apps: [BundleIdentifier], of device: DeviceIdentifier, to state: inout EventHub.State
    ) throws -> (stream: Int, ended: Int) {
        var ended: [Continuation] = []
        let (_, continuation) = AsyncStream.makeStream(of: EventHub.Wake.self)
        let added = try state.add(apps, of: device, continuation, ending: &ended)
        return (try #require(added).stream, ended.count)
    }

    private func apps(_ count: Int) -> [BundleIdentifier] { (0..<count).map { BundleIdentifier("app\($0)") } }

    @Test("A stream that begins again with all apps takes the place of the device's oldest ones")
    func beginsAgain() throws {
        var state = EventHub.State()
        var streams: [Int] = []
        for count in 14...20 { streams.append(try add(apps(count), of: "phone", to: &state).stream) }
        #expect(state.subscribers.count <= EventHub.appsOfADevice)
        #expect(Set(state.streams.keys) == Set(streams.suffix(3)))
        #expect(state.byDevice["phone"]?.count == 18 + 19 + 20)
    }

    @Test("A device with 64 apps in other streams is throttled, and none of them ends")
    func throttled() throws {
        var state = EventHub.State()
        _ = try add(apps(EventHub.appsOfADevice), of: "phone", to: &state)
        let failure = #expect(throws: StoreFailure.self) { try add(["another"], of: "phone", to: &state) }
        #expect(failure?.code == .throttled && failure?.retryAfter == 60)
        #expect(state.streams.count == 1 && state.subscribers.count == EventHub.appsOfADevice)
    }

    @Test("A device with many apps gives a stream up for a device with fewer, and not the other way round")
    func room() throws {
        var state = EventHub.State()
        state.limit = 12
        let greedy = try add(apps(6), of: "greedy", to: &state).stream
        _ = try add(["a", "b", "c", "d", "e"], of: "greedy", to: &state)
        let modest = try add(apps(3), of: "modest", to: &state)
        #expect(modest.ended == 1 && state.streams[greedy] == nil)
        let failure = #expect(throws: StoreFailure.self) { try add(apps(9), of: "greedy2", to: &state) }
        #expect(failure?.code == .unavailable)
    }

    @Test("An app that leaves a stream makes room, and the stream's end removes the others")
    func leaving() throws {
        var state = EventHub.State()
        let stream = try add(apps(3), of: "phone", to: &state).stream
        state.remove(try #require(state.streams[stream]?.keys.min()))
        #expect(state.subscribers.count == 2 && state.streams.count == 1)
        state.remove(stream: stream)
        #expect(state.subscribers.isEmpty && state.streams.isEmpty && state.byDevice.isEmpty)
        #expect((0..<EventHub.heartbeatParts).allSatisfy { _ in state.takeHeartbeatPart().isEmpty })
    }
}

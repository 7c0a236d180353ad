// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreAgent

/// Several apps with one event stream.
@Suite(.timeLimit(.hang))
struct SharedEventStreamTests {
    private typealias Events = AsyncThrowingStream<StoreEvent, any Error>

    private static let credentials = DeviceCredentials(identifier: "1", secret: "1")
    /// A clock whose pauses are over immediately.
    private static let clock = AgentClock(now: { 0 }, sleep: { _ in try await letOthersRun() })

    private func subscription(
        _ app: String, after number: Int64? = nil, of credentials: DeviceCredentials = Self.credentials
    ) -> EventSubscription {
        EventSubscription(
            credentials: credentials, bundleIdentifier: app, position: number.map(Self.position), takesPages: true)
    }

    private static func position(_ number: Int64) -> EventPosition { EventPosition(account: "anna", number: number) }

    private func withStream(
        limit: Int = SharedEventStream.bytesOfAnApp,
        _ body: (SharedEventStream, SharingStore) async throws -> Void
    ) async throws {
        let store = SharingStore()
        let stream = SharedEventStream(store, clock: Self.clock, bytesOfAnApp: limit)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await stream.run() }
            defer { group.cancelAll() }
            try await body(stream, store)
        }
    }

    @Test("Apps have one stream, and each gets its own events")
    func oneStream() async throws {
        try await withStream { stream, store in
            async let first = stream.events(subscription("fruit", after: 1))
            async let second = stream.events(subscription("garden", after: 2))
            var (fruit, garden) = (try await first.makeAsyncIterator(), try await second.makeAsyncIterator())
            await store.requests.until { Set($0.last?.apps ?? []) == ["fruit", "garden"] }

            store.tell("garden", .position(Self.position(3)))
            store.tell("fruit", .position(Self.position(4)))

            #expect(try await fruit.next() == .position(Self.position(4)))
            #expect(try await garden.next() == .position(Self.position(3)))
        }
    }

    @Test("When an app joins, the others go on after their last events, and the store is asked with all positions")
    func joining() async throws {
        try await withStream { stream, store in
            var fruit = try await stream.events(subscription("fruit", after: 1)).makeAsyncIterator()
            store.tell("fruit", .position(Self.position(4)))
            store.tell("fruit", .request(requestIdentifier: "r", number: 8))
            #expect(try await fruit.next() == .position(Self.position(4)))
            #expect(try await fruit.next() == .request(requestIdentifier: "r", number: 8))

            let garden = try await stream.events(subscription("garden", after: 2))
            let request = try #require(await store.requests.until { $0.count == 2 }.last)

            let apps = Dictionary(uniqueKeysWithValues: request.call.apps.map { ($0.bundleIdentifier, $0) })
            #expect(apps["fruit"]?.position == Self.position(4) && apps["fruit"]?.newsNumber == 8)
            #expect(apps["garden"]?.position == Self.position(2) && apps["garden"]?.newsNumber == nil)
            store.tell("fruit", .position(Self.position(5)))
            #expect(try await fruit.next() == .position(Self.position(5)))
            withExtendedLifetime(garden) {}
        }
    }

    @Test("Events that an app hasn't taken when another one joins stay, and aren't asked for again")
    func untaken() async throws {
        try await withStream { stream, store in
            var fruit = try await stream.events(subscription("fruit", after: 1)).makeAsyncIterator()
            var garden = try await stream.events(subscription("garden", after: 1)).makeAsyncIterator()
            for number in Int64(2)...3 { store.tell("fruit", .position(Self.position(number))) }
            store.tell("garden", .position(Self.position(3)))
            // The events of a stream are received in their order.
            #expect(try await garden.next() == .position(Self.position(3)))

            let orchard = try await stream.events(subscription("orchard"))
            #expect(store.requests.value.last?.call.apps.map(\.position?.number) == [3, 3, nil])
            store.tell("fruit", .position(Self.position(4)))
            for number in Int64(2)...4 { #expect(try await fruit.next() == .position(Self.position(number))) }
            withExtendedLifetime((garden, orchard)) {}
        }
    }

    @Test("An app whose sequence is dropped leaves, and the store is asked without it")
    func leaving() async throws {
        try await withStream { stream, store in
            var fruit: Events? = try await stream.events(subscription("fruit"))
            let garden = try await stream.events(subscription("garden"))
            withExtendedLifetime(fruit) {}
            fruit = nil
            await store.requests.until { $0.last?.apps == ["garden"] }
            withExtendedLifetime(garden) {}
        }
    }

    @Test("An app that takes its events too slowly ends, and the others and its next sequence go on")
    func slowApp() async throws {
        try await withStream(limit: 100) { stream, store in
            let slow = try await stream.events(subscription("fruit", after: 1))
            var garden = try await stream.events(subscription("garden", after: 1)).makeAsyncIterator()
            await store.requests.until { $0.last?.apps.count == 2 }
            for number in Int64(2)...9 { store.tell("fruit", .position(Self.position(number)), size: 30) }
            store.tell("garden", .position(Self.position(10)))
            #expect(try await garden.next() == .position(Self.position(10)))

            // Three events of 30 bytes have room. The app's journal has the second one.
            var read: [StoreEvent] = []
            for try await event in slow { read.append(event) }
            #expect(read == [2, 3, 4].map { .position(Self.position($0)) })
            let again = try await stream.events(subscription("fruit", after: 3))
            let request = await store.requests.until { $0.last?.apps == ["garden", "fruit"] }.last
            #expect(request?.call.apps.map(\.position?.number) == [10, 3])
            withExtendedLifetime((garden, again)) {}
        }
    }

    @Test("An event of any size has room in an empty sequence")
    func largeEvent() async throws {
        try await withStream(limit: 100) { stream, store in
            var fruit = try await stream.events(subscription("fruit", after: 1)).makeAsyncIterator()
            store.tell("fruit", .position(Self.position(2)), size: 1_000_000)
            #expect(try await fruit.next() == .position(Self.position(2)))
        }
    }

    @Test("A refused app gets the refusal, and the others go on")
    func refusedApp() async throws {
        try await withStream { stream, store in
            store.refused.change { $0 = ["unknown"] }
            var fruit = try await stream.events(subscription("fruit", after: 1)).makeAsyncIterator()

            let refusal = await #expect(throws: StoreFailure.self) {
                try await stream.events(subscription("unknown"))
            }
            #expect(refusal?.code == .notFound && refusal?.retryAfter == 9)
            store.tell("fruit", .position(Self.position(2)))
            #expect(try await fruit.next() == .position(Self.position(2)))

            // The store refuses an open app when it can't read its rows.
            store.tell("fruit", .refused(StoreFailure(.unavailable, "later", retryAfter: 3)))
            let later = await #expect(throws: StoreFailure.self) { try await fruit.next() }
            #expect(later?.code == .unavailable && later?.retryAfter == 3)
        }
    }

    @Test("When the stream breaks, every sequence ends with its error, and both apps join again")
    func brokenStream() async throws {
        try await withStream { stream, store in
            var fruit = try await stream.events(subscription("fruit", after: 1)).makeAsyncIterator()
            var garden = try await stream.events(subscription("garden", after: 1)).makeAsyncIterator()
            let failure = ConnectionFailure(reach: .unanswered, underlying: CancellationError())
            await store.requests.until { $0.last?.apps.count == 2 }.last?.events.finish(throwing: failure)
            await #expect(throws: ConnectionFailure.self) { try await fruit.next() }
            await #expect(throws: ConnectionFailure.self) { try await garden.next() }

            store.failure.change { $0 = StoreFailure(.unavailable, "The store starts.", retryAfter: 2) }
            let refusal = await #expect(throws: StoreFailure.self) {
                try await stream.events(subscription("fruit", after: 1))
            }
            #expect(refusal?.retryAfter == 2)
            store.failure.change { $0 = nil }
            fruit = try await stream.events(subscription("fruit", after: 1)).makeAsyncIterator()
            store.tell("fruit", .position(Self.position(2)))
            #expect(try await fruit.next() == .position(Self.position(2)))
        }
    }

    @Test("A stream that ends before it has opened an app is an error for the app, and the end for the others")
    func earlyEnd() async throws {
        try await withStream { stream, store in
            var fruit = try await stream.events(subscription("fruit", after: 1)).makeAsyncIterator()
            store.silent.change { $0 = ["garden"] }
            let garden = Task { try await stream.events(subscription("garden")) }
            await store.requests.until { $0.last?.apps.count == 2 }.last?.events.finish()
            await #expect(throws: ConnectionFailure.self) { try await garden.value }
            #expect(try await fruit.next() == nil)
        }
    }

    @Test("An app that isn't opened yet and is cancelled leaves")
    func cancelledJoin() async throws {
        try await withStream { stream, store in
            store.silent.change { $0 = ["garden"] }
            let fruit = try await stream.events(subscription("fruit"))
            await withTaskGroup(of: Void.self) { group in
                group.addTask { _ = try? await stream.events(subscription("garden")) }
                await store.requests.until { $0.last?.apps == ["fruit", "garden"] }
                group.cancelAll()
            }
            await store.requests.until { $0.count > 2 && $0.last?.apps == ["fruit"] }
            withExtendedLifetime(fruit) {}
        }
    }

    @Test("An app that joins twice has one place, and its earlier sequence ends")
    func joinsTwice() async throws {
        try await withStream { stream, store in
            var first = try await stream.events(subscription("fruit", after: 1)).makeAsyncIterator()
            var second = try await stream.events(subscription("fruit", after: 2)).makeAsyncIterator()
            #expect(try await first.next() == nil)
            #expect(store.requests.value.last?.call.apps.map(\.position?.number) == [2])
            store.tell("fruit", .position(Self.position(3)))
            #expect(try await second.next() == .position(Self.position(3)))
        }
    }

    @Test("An app of another identity, and one app too many, have streams of their own")
    func ownStreams() async throws {
        try await withStream { stream, store in
            var members: [Events] = []
            for number in 1...StreamedApps.count { members.append(try await stream.events(subscription("\(number)"))) }
            await store.requests.until { $0.last?.apps.count == StreamedApps.count }
            let other = DeviceCredentials(identifier: "2", secret: "2")
            for own in [subscription("65"), subscription("fruit", of: other)] {
                var events = try await stream.events(own).makeAsyncIterator()
                await store.requests.until { $0.last?.apps == [own.bundleIdentifier] }
                store.tell(own.bundleIdentifier, .position(Self.position(2)))
                #expect(try await events.next() == .position(Self.position(2)))
            }
            withExtendedLifetime(members) {}
        }
    }

    @Test("An event of an app that the request doesn't name ends every sequence with an error")
    func unnamedApp() async throws {
        for place in [-1, 1, Int.max] {
            try await withStream { stream, store in
                var fruit = try await stream.events(subscription("fruit")).makeAsyncIterator()
                store.requests.value.last?.events.yield(
                    AppEvent(place: place, event: .position(Self.position(1)), size: 1))
                let failure = await #expect(throws: StoreFailure.self) { try await fruit.next() }
                #expect(failure?.code == .unreadableAnswer)
            }
        }
    }
}

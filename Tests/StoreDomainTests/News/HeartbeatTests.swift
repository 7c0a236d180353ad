// SPDX-License-Identifier: Apache-2.0

import StoreAssembly
import StoreDatabase
import StoreDomain
import StoreMeasurement
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreService

/// Heartbeats of many streams are spread over the interval, so that a process
/// doesn't write to all of them at the same moment.
struct HeartbeatTests {
    @Test("Each part of a round has its share of the streams, and each stream one heartbeat a round")
    func shares() throws {
        var state = EventHub.State()
        let keys = try (1...105).map { _ in try #require(try Self.add(to: &state)) }

        for _ in 1...2 {
            let parts = (1...EventHub.heartbeatParts).map { _ in state.takeHeartbeatPart() }
            #expect(parts.allSatisfy { (5...6).contains($0.count) }, "\(parts.map(\.count))")
            #expect(parts.flatMap(\.self).sorted() == keys)
        }

        // Closed streams get none, and new ones do.
        for key in keys.prefix(100) { state.remove(stream: key) }
        let new = try #require(try Self.add(to: &state))
        let sent = (1...EventHub.heartbeatParts).flatMap { _ in state.takeHeartbeatPart() }
        #expect(sent.sorted() == keys.suffix(5) + [new])
    }

    @Test("In each second a twentieth of the streams gets a heartbeat, without a statement", arguments: [1, 7, 20, 33])
    func seconds(seconds: Int) async throws {
        try await Engine.sqliteMemory.withDatabase(hasTables: true) { database in
            let time = SimulatedTime(seconds: seconds)
            let recorder = RecordingDatabase(database)
            let store = try await Self.open(recorder, time.wallClock)
            let subscriptions = try (0..<200).map { number in
                try store.service.hub.subscribe(
                    device: DeviceIdentifier("d\(number)"), bundleIdentifier: "com.example.fruit")
            }
            let before = recorder.count

            await store.housekeeping.sendHeartbeats()

            #expect(recorder.count == before)
            store.service.hub.close()
            var counts: [Int] = []
            for subscription in subscriptions {
                counts.append(await subscription.signals.reduce(0) { count, _ in count + 1 })
            }
            #expect(counts.reduce(0, +) == seconds * 10)
            #expect(counts.allSatisfy { $0 == seconds / 20 || $0 == (seconds + 19) / 20 }, "\(counts)")
        }
    }

    /// Adds a stream, and returns its number.
    private static func add(to state: inout EventHub.State) throws -> Int? {
        let (_, continuation) = AsyncStream.makeStream(of: EventHub.Wake.self)
        let device = DeviceIdentifier("d\(state.streams.count)")
        var ended: [AsyncStream<EventHub.Wake>.Continuation] = []
        // A stream with two apps has one heartbeat, too.
        return try state.add(["com.example.fruit", "com.example.garden"], of: device, continuation, ending: &ended)?
            .stream
    }

    private static func open(_ database: any Database, _ clock: WallClock) async throws -> Store {
        try await Store.open(
            StoreConfiguration(
                database: database, clock: clock, random: RandomSource(SeededGenerator(seed: 101))),
            serving: ServingConfiguration(
                authority: try TestStore.authority.get(), publicURL: "https://store.example", logger: .silent))
    }
}

/// A clock that moves on with each sleep, until an end.
private final class SimulatedTime: Sendable {
    private let now = Mutex(TestClock().now)
    private let end: WallTime

    init(seconds: Int) {
        end = TestClock().now + .seconds(seconds)
    }

    var wallClock: WallClock {
        WallClock(
            now: { self.now.withLock { $0 } },
            sleep: { [end] until in
                guard until <= end else { throw CancellationError() }
                self.now.withLock { $0 = until }
            })
    }
}

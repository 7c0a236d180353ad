// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The account's time in the messages to devices.
@Suite(.timeLimit(.hang))
struct ClockEventTests {
    @Test(
        "A device receives each move of its account's clock, and the current one with its queue",
        arguments: Engine.stores)
    func told(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.subscriber()
            let before = try await anna.snapshot()
            #expect(before.clockOffset == nil)
            try await anna.advance(.by(.seconds(60)))
            try await anna.advance(.speed(.monthIn5Minutes))
            try await anna.advance(.by(.seconds(-90)))

            #expect(try await anna.snapshot().clockOffset == -30_000)
            let events = try await anna.phone.connection.events(
                EventSubscription(
                    credentials: anna.phone.credentials, bundleIdentifier: TestStore.bundleIdentifier,
                    position: before.position))
            var offsets: [Int64] = []
            for try await event in events {
                let moved = try #require(event.content as? ClockEvent)
                offsets.append(moved.offset)
                if offsets.count == 2 { break }
            }
            // Each event has the clock as it is when the event is read.
            #expect(offsets == [-30_000, -30_000])
        }
    }

    @Test("A move of the clock isn't an event before which the clock can't be set", arguments: Engine.stores)
    func setBack(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.subscriber()
            try await anna.phone.buy("juice", request: "1", as: anna.account)
            let bought = try await anna.now
            try await anna.advance(.by(.seconds(3600)))
            try await anna.advance(.by(.seconds(-3600)))
            #expect(try await anna.now == bought)
            await #expect(throws: DomainError(.invalid, "")) { try await anna.advance(.by(.seconds(-1))) }
        }
    }
}

extension Subscriber {
    fileprivate func snapshot() async throws -> QueueSnapshot {
        try await phone.call(QueueCall(bundleIdentifier: TestStore.bundleIdentifier))
    }
}

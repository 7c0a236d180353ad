// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite("The slots of transfers", .timeLimit(.hang))
struct TransferSlotsTests {
    private let clock = ManualClock()
    private let slots = TransferSlots(2)

    private func enter(atMost seconds: Int = 60) async throws -> Completion? {
        try await slots.enter(atMost: .seconds(seconds), clock.clock)
    }

    @Test("Two transfers run, and a third one runs when one of them has left")
    func limit() async throws {
        let first = try #require(try await enter())
        let second = try #require(try await enter())
        try await withThrowingTaskGroup(of: Completion?.self) { group in
            group.addTask { try await enter() }
            await clock.naps.until { $0 == 1 }
            slots.leave(first)
            let third = try #require(try await group.next() ?? nil)
            slots.leave(second)
            slots.leave(third)
        }
        // Both slots are free again, and no third one.
        _ = try #require(try await enter())
        _ = try #require(try await enter())
        let third = try await clock.moving { try await enter() }
        #expect(third == nil)
    }

    @Test("A transfer that doesn't get a slot in time, or is stopped, takes none later")
    func late() async throws {
        let first = try #require(try await enter())
        _ = try #require(try await enter())
        try await withThrowingTaskGroup(of: Completion?.self) { group in
            group.addTask { try await enter(atMost: 10) }
            await clock.naps.until { $0 == 1 }
            clock.advance(seconds: 10)
            let late = try await group.next()
            #expect(late != nil && late?.map { _ in true } == nil)
            group.addTask { try await enter() }
            await clock.naps.until { $0 == 2 }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
        }
        slots.leave(first)
        _ = try #require(try await enter())
    }
}

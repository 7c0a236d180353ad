// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite(.timeLimit(.minutes(1)))
struct TransferTurnsTests {
    @Test("A transfer waits for a turn, and a turn that a cancelled transfer has waited for isn't lost")
    func turns() async throws {
        let turns = TransferTurns(limit: 1)
        for _ in 0..<200 {
            try await turns.take()
            let cancelled = Task { try await turns.take() }
            let next = Task { try await turns.take() }
            cancelled.cancel()
            turns.giveBack()
            if (try? await cancelled.value) != nil { turns.giveBack() }
            try await next.value
            turns.giveBack()
        }
    }

    @Test("No more transfers run than the limit allows")
    func limit() async throws {
        let turns = TransferTurns(limit: 2)
        let (running, most) = (Watched(0), Watched(0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await turns.take()
                    let now = running.change { count in
                        count += 1
                        return count
                    }
                    most.change { $0 = max($0, now) }
                    await Task.yield()
                    running.change { $0 -= 1 }
                    turns.giveBack()
                }
            }
            try await group.waitForAll()
        }
        let seen = await most.until { _ in true }
        #expect(seen >= 1 && seen <= 2)
    }
}

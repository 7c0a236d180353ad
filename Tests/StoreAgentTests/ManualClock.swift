// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreTestSupport
import Synchronization

@testable import StoreAgent

/// A clock that stands still until a test moves it.
final class ManualClock: Sendable {
    private struct State {
        var now: Int64 = 1_700_000_000_000
        var next = 0
        var sleepers: [Int: (wakes: Int64, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())
    /// The number of sleeps that have begun.
    let naps = Watched(0)
    /// The milliseconds of each sleep, in their order.
    let pauses = Watched<[Int64]>([])

    var clock: AgentClock {
        AgentClock(now: { self.state.withLock { $0.now } }, sleep: { try await self.sleep($0) })
    }

    private func sleep(_ duration: Duration) async throws {
        let name = state.withLock { state in
            state.next += 1
            return state.next
        }
        let milliseconds = duration.milliseconds
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.contains(name) { return true }
                    state.sleepers[name] = (state.now + milliseconds, continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                pauses.change { $0.append(milliseconds) }
                naps.change { $0 += 1 }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(name)
                return state.sleepers.removeValue(forKey: name)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves the clock, and wakes the sleepers that are due.
    func advance(seconds: Int64) {
        let woken = state.withLock { state in
            state.now += seconds * 1000
            let now = state.now
            let due = state.sleepers.filter { $0.value.wakes <= now }
            for name in due.keys { state.sleepers[name] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Moves the clock again and again while a test waits, for a sleep that can't be distinguished from others.
    func moving<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                while true {
                    try await letOthersRun()
                    self.advance(seconds: 30)
                }
            }
            return try await body()
        }
    }
}

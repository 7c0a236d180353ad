// SPDX-License-Identifier: Apache-2.0

package import StoreDomain
package import StoreService
import Synchronization

/// A clock that stands still until a test moves it.
package final class TestClock: Sendable {
    private struct State {
        var now: Instant
        var nextKey = 0
        var sleepers: [Int: (until: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    private let state: Mutex<State>

    /// Makes a clock that stands at 2026-01-02 03:04:05 UTC.
    package init(now: Instant = Instant(milliseconds: 1_767_323_045_000)) {
        state = Mutex(State(now: now))
    }

    package var now: Instant { state.withLock { $0.now } }

    /// Moves the clock, and wakes the tasks whose sleep has ended.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now + duration
            let due = state.sleepers.filter { $0.value.until <= state.now }
            due.keys.forEach { state.sleepers[$0] = nil }
            return due.values.sorted { $0.until < $1.until }
        }
        due.forEach { $0.continuation.resume() }
    }

    package var storeClock: StoreClock {
        StoreClock(now: { self.now }, sleep: { try await self.sleep(until: $0) })
    }

    private func sleep(until: Instant) async throws {
        let key = state.withLock { state in
            state.nextKey += 1
            return state.nextKey
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || until <= state.now { return true }
                    state.sleepers[key] = (until, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: key) }?.continuation.resume()
        }
    }
}

/// A generator of the same random numbers for the same seed (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

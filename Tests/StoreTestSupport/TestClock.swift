// SPDX-License-Identifier: Apache-2.0

package import StoreDomain
import Synchronization

/// A clock that stands still until a test moves it.
package final class TestClock: Sendable {
    private struct State {
        var now: WallTime
        var nextKey = 0
        var sleepers: [Int: (until: WallTime, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    private let state: Mutex<State>

    /// Makes a clock that stands at 2026-01-02 03:04:05 UTC.
    package init(now: WallTime = WallTime(milliseconds: 1_767_323_045_000)) {
        state = Mutex(State(now: now))
    }

    package var now: WallTime { state.withLock { $0.now } }

    /// The number of tasks that wait for the clock.
    package var sleepers: Int { state.withLock { $0.sleepers.count } }

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

    package var wallClock: WallClock {
        WallClock(now: { self.now }, sleep: { try await self.sleep(until: $0) })
    }

    private func sleep(until: WallTime) async throws {
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

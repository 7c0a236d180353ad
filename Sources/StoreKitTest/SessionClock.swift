// SPDX-License-Identifier: Apache-2.0

import StoreAgent
import StoreDomain
import Synchronization

/// The time of a session, which changes only in ``advance(by:)`` and ``set(_:)``.
final class SessionClock: Sendable {
    private struct State {
        var now: WallTime
        var nextKey = 0
        var sleepers: [Int: (until: WallTime, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    private let state: Mutex<State>

    init(now: WallTime) {
        state = Mutex(State(now: now))
    }

    var now: WallTime { state.withLock { $0.now } }

    /// Advances the time. Tasks that have slept until then continue when the
    /// session's executor runs.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now + duration
            let due = state.sleepers.filter { $0.value.until <= state.now }
            due.keys.forEach { state.sleepers[$0] = nil }
            return due.sorted { ($0.value.until, $0.key) < ($1.value.until, $1.key) }
        }
        due.forEach { $0.value.continuation.resume() }
    }

    /// Sets the time, also to an earlier one, for a purchase of that time. Tasks
    /// that sleep aren't woken.
    func set(_ moment: WallTime) {
        state.withLock { $0.now = moment }
    }

    var wallClock: WallClock {
        WallClock(now: { self.now }, sleep: { try await self.sleep(until: $0) })
    }

    var agentClock: AgentClock {
        AgentClock(now: { self.now.milliseconds }, sleep: { try await self.sleep(until: self.now + $0) })
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

/// A random number generator with a seed (SplitMix64): each session makes the
/// same identifiers.
struct SessionGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

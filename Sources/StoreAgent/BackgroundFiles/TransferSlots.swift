// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Limits the number of transfers that run at the same time. A slot goes to
/// the transfer that has waited longest.
final class TransferSlots: Sendable {
    private struct State {
        var free: Int
        var waiting: [Completion] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    /// Waits for a slot, which ``leave(_:)`` gives back.
    ///
    /// - Returns: the slot; `nil` when none was free in time.
    /// - Throws: `CancellationError`.
    func enter(atMost time: Duration, _ clock: AgentClock) async throws -> Completion? {
        let slot = Completion()
        let isFree = state.withLock { state in
            guard state.free == 0 else {
                state.free -= 1
                return true
            }
            state.waiting.append(slot)
            return false
        }
        if isFree { return slot }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await slot.wait() }
                group.addTask { try await clock.sleep(for: time) }
                defer { group.cancelAll() }
                try await group.next()
            }
            try Task.checkCancellation()
        } catch {
            leave(slot)
            throw error
        }
        guard state.withLock({ $0.waiting.contains { $0 === slot } }) else { return slot }
        leave(slot)
        return nil
    }

    /// Gives a slot to the next transfer. A transfer that still waits for the
    /// slot doesn't get it any more.
    func leave(_ slot: Completion) {
        let next = state.withLock { state -> Completion? in
            if let place = state.waiting.firstIndex(where: { $0 === slot }) {
                state.waiting.remove(at: place)
                return nil
            }
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.decide(.success(()))
    }
}

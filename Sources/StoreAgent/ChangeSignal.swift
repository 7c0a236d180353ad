// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Wakes all tasks that wait for a change of the journal.
///
/// A task reads ``generation``, then the journal, and waits for a later
/// generation: a change after the reading isn't missed. The signal keeps no
/// changes, so that a slow task takes no memory.
package final class ChangeSignal: Sendable {
    private struct State {
        var generation: UInt64 = 0
        var isClosed = false
        var nextWaiter: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        /// The waiters whose tasks were cancelled before they began to wait.
        var cancelled: Set<UInt64> = []
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of changes so far.
    package var generation: UInt64 { state.withLock { $0.generation } }

    /// Whether the agent is closed, so that no change follows.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Records a change and wakes all waiting tasks.
    package func post() {
        wake { $0.generation += 1 }
    }

    /// Wakes all tasks. No later call waits.
    func close() {
        wake { state in
            state.generation += 1
            state.isClosed = true
        }
    }

    /// Returns after a change that `generation` doesn't count, after the
    /// agent was closed, or when the task is cancelled.
    package func wait(after generation: UInt64) async {
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    let isCancelled = state.cancelled.remove(waiter) != nil
                    guard !isCancelled, !state.isClosed, state.generation == generation else { return false }
                    state.waiters[waiter] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let waiting = state.waiters.removeValue(forKey: waiter)
                if waiting == nil { state.cancelled.insert(waiter) }
                return waiting
            }
            continuation?.resume()
        }
        state.withLock { _ = $0.cancelled.remove(waiter) }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [:] }
            // In the order in which they began to wait, which a dictionary doesn't have.
            return state.waiters.sorted { $0.key < $1.key }.map(\.value)
        }
        for waiter in waiters { waiter.resume() }
    }
}

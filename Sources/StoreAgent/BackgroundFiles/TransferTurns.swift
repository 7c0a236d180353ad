// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Limits the transfers that run at a time. A transfer gives its turn back
/// while it pauses, so that a server that can't be reached stops no other
/// one's files.
final class TransferTurns: Sendable {
    private struct State {
        var free: Int
        var waiting: [Completion] = []
    }

    private let state: Mutex<State>

    /// - Parameter limit: The largest number of transfers at a time.
    init(limit: Int) {
        state = Mutex(State(free: limit))
    }

    /// Waits for a turn, in the order of the calls. Each turn is given back
    /// once.
    ///
    /// - Throws: `CancellationError`, without a turn.
    func take() async throws {
        let turn = Completion()
        let isFree = state.withLock { state in
            guard state.free == 0 else {
                state.free -= 1
                return true
            }
            state.waiting.append(turn)
            return false
        }
        if isFree { return }
        do {
            try await turn.wait()
        } catch {
            let isGiven = state.withLock { state in
                guard let place = state.waiting.firstIndex(where: { $0 === turn }) else { return true }
                state.waiting.remove(at: place)
                return false
            }
            if isGiven { giveBack() }
            throw error
        }
    }

    func giveBack() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil as Completion?
            }
            return state.waiting.removeFirst()
        }
        next?.decide(.success(()))
    }
}

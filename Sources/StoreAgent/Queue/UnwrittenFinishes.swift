// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What the app has finished and the journal couldn't take (locked for long,
/// its disk full): kept in memory until it can.
final class UnwrittenFinishes: Sendable {
    typealias Finishes = [AgentTransaction.ID: AgentTransaction.Delivered?]

    private let finishes = Mutex<Finishes>([:])

    var all: Finishes { finishes.withLock { $0 } }

    /// - Returns: whether it is the only one.
    func keep(_ identifier: AgentTransaction.ID, _ delivered: AgentTransaction.Delivered?) -> Bool {
        finishes.withLock { finishes in
            finishes[identifier] = .some(delivered)
            return finishes.count == 1
        }
    }

    func remove(_ identifier: AgentTransaction.ID) {
        finishes.withLock { finishes in _ = finishes.removeValue(forKey: identifier) }
    }

    /// Whether an entry must not be shown, because the app has finished it.
    func contains(_ identifier: AgentTransaction.ID) -> Bool {
        finishes.withLock { $0.keys.contains(identifier) }
    }
}

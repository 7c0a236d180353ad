// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The finishes that the journal couldn't save, because it was locked for
/// long or its disk was full. They are kept in memory until it can.
final class UnwrittenFinishes: Sendable {
    typealias Finishes = [AgentTransaction.ID: AgentTransaction.Delivered?]

    private let finishes = Mutex<Finishes>([:])

    var all: Finishes { finishes.withLock { $0 } }

    /// Adds a finish.
    ///
    /// - Returns: whether there is no other one.
    func keep(_ identifier: AgentTransaction.ID, _ delivered: AgentTransaction.Delivered?) -> Bool {
        finishes.withLock { finishes in
            finishes[identifier] = .some(delivered)
            return finishes.count == 1
        }
    }

    func remove(_ identifier: AgentTransaction.ID) {
        finishes.withLock { finishes in _ = finishes.removeValue(forKey: identifier) }
    }

    /// Whether the app has finished an entry, so that it must not be
    /// delivered.
    func contains(_ identifier: AgentTransaction.ID) -> Bool {
        finishes.withLock { $0.keys.contains(identifier) }
    }
}

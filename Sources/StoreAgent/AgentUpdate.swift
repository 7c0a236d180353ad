// SPDX-License-Identifier: Apache-2.0

/// What an observer of the queue is told.
package enum AgentUpdate: Sendable, Hashable {
    /// Transactions that are new, or whose state has changed.
    case updated([AgentTransaction])
    /// Transactions that have left the queue.
    case removed([AgentTransaction])
    /// All that a restore of this process brought was delivered.
    case restoreFinished
    /// A restore of this process ended early.
    case restoreFailed(AgentFailure)
}

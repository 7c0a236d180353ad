// SPDX-License-Identifier: Apache-2.0

package import StoreAPI

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
    /// The customer has no right to these products any more, and the receipt
    /// on disk says so. May be told twice. What was refunded while the account
    /// wasn't signed in isn't told: its next receipt says so.
    case revoked([String])
    /// The customer shops in another country than this process knew of.
    case storefrontChanged(StorefrontInfo, before: StorefrontInfo)
}

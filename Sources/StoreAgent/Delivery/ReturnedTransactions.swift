// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The transactions that purchases of StoreKit 2 have returned in this process
/// and that the app hasn't finished.
///
/// The process delivers them, and no other one: it keeps them until they are
/// finished or it ends.
package final class ReturnedTransactions: Sendable {
    private let transactions = Mutex<Set<String>>([])

    /// The store's identifiers.
    package var all: Set<String> { transactions.withLock { $0 } }

    /// Whether a purchase has returned a transaction.
    package func contains(_ transaction: String) -> Bool {
        transactions.withLock { $0.contains(transaction) }
    }

    /// Records that a purchase returns a transaction.
    package func insert(_ transaction: String) {
        transactions.withLock { _ = $0.insert(transaction) }
    }

    /// Removes transactions that were finished, or have left the queue.
    package func remove(_ gone: Set<String>) {
        transactions.withLock { $0.subtract(gone) }
    }

    /// Removes transactions that were finished, or have left the queue.
    package func remove(_ gone: [AgentTransaction]) {
        remove(Set(gone.compactMap(\.transactionIdentifier)))
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import Synchronization

/// The payments of StoreKit 2 that no task of this process waits for any more,
/// until they are decided.
///
/// An app of StoreKit 2 has no call that removes a failed payment from the
/// queue, so the agent does it.
final class AbandonedPayments: Sendable {
    private let payments = Mutex<Set<AgentTransaction.ID>>([])

    var all: Set<AgentTransaction.ID> { payments.withLock { $0 } }

    func insert(_ payment: AgentTransaction.ID) {
        payments.withLock { _ = $0.insert(payment) }
    }

    func remove(_ decided: Set<AgentTransaction.ID>) {
        payments.withLock { $0.subtract(decided) }
    }
}

extension Delivery {
    /// Removes the failed ones of the abandoned payments, after the subscribers
    /// have received their failures. Called in a round.
    func removeAbandonedFailures() throws {
        let payments = abandoned.all
        guard !payments.isEmpty else { return }
        let (failed, decided) = try journal.decisions(of: payments)
        abandoned.remove(decided)
        guard !failed.isEmpty else { return }
        let removed = try journal.removeFailed(failed)
        abandoned.remove(failed)
        for recipient in recipients { removed.forEach(recipient.know) }
        signals.wake()
        presence.wakeOthers()
        look()
    }
}

extension Journal {
    /// The failed ones of some payments, and those that are decided otherwise,
    /// or have left the queue.
    fileprivate func decisions(
        of payments: Set<AgentTransaction.ID>
    ) throws -> (failed: Set<AgentTransaction.ID>, others: Set<AgentTransaction.ID>) {
        try database.read { connection in
            var (failed, others): (Set<AgentTransaction.ID>, Set<AgentTransaction.ID>) = ([], [])
            for payment in payments {
                let entry = try JournalEntry.load(connection, payment)
                if entry?.phase == .failed {
                    failed.insert(payment)
                } else if entry?.isOpen != true {
                    others.insert(payment)
                }
            }
            return (failed, others)
        }
    }

    /// Removes failed payments from the queue.
    ///
    /// - Returns: the transactions as the app has seen them.
    fileprivate func removeFailed(_ payments: Set<AgentTransaction.ID>) throws -> [AgentTransaction] {
        try database.write { connection in
            try payments.sorted().compactMap { try Self.removeFailed(connection, $0) }
        }
    }

    /// Removes a failed payment from the queue, as part of a write.
    static func removeFailed(
        _ connection: any Connection, _ payment: AgentTransaction.ID
    ) throws -> AgentTransaction? {
        guard let entry = try JournalEntry.load(connection, payment), entry.phase == .failed else { return nil }
        try handle(connection, entry, .finish(isDelivered: false), now: entry.date)
        return entry.shown
    }
}

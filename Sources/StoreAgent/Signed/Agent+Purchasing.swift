// SPDX-License-Identifier: Apache-2.0

import StoreAPI
package import StoreCore
import StoreDatabase

/// The state of a purchase that a task waits for.
package enum PurchaseOutcome: Sendable {
    /// The store hasn't decided, or the signed transaction of this number isn't
    /// here yet.
    case waiting(transaction: String?)
    /// Purchased.
    case purchased(SignedRow)
    /// Another person has to approve the payment.
    case pending
    /// Nothing was charged.
    case failed(PurchaseFailure)
    /// Purchased, and its customer isn't signed in any more.
    case away
    /// The payment was decided, and its transaction is not in the queue any
    /// more: it was finished on another device, or refunded.
    case gone
}

/// Purchases that a task waits for, for StoreKit 2.
extension Agent {
    /// A new identifier for a payment.
    package func makeRequest() -> AgentTransaction.ID {
        random.hexadecimal(bytes: 16)
    }

    /// Adds a payment to the queue under an identifier that no other has, like
    /// ``add(_:)``, without blocking the thread.
    ///
    /// - Throws: `DatabaseError` when the journal can't be written; nothing
    ///   is sent then.
    package func begin(_ payment: AgentPayment, as request: AgentTransaction.ID) async throws {
        faults.before(.journal)
        let (process, now) = (presence.identifier, clock.now)
        try await journal.database.write { connection in
            let entry = JournalEntry.payment(
                payment, request: request, sequence: try JournalState.nextSequence(connection), adder: process,
                now: now)
            try entry.save(connection)
        }
        faults.after(.journal)
        synchronizer.changed()
    }

    /// Cancels a payment, unless the store has decided already. When the journal can't be written, the payment goes
    /// on.
    package func cancel(_ identifier: AgentTransaction.ID) {
        try? withdraw(identifier)
    }

    /// The state of a purchase.
    ///
    /// - Throws: `DatabaseError`.
    package func outcome(of identifier: AgentTransaction.ID) async throws -> PurchaseOutcome {
        let outcome = try await journal.database.read { connection -> PurchaseOutcome in
            guard let entry = try JournalEntry.load(connection, identifier) else { return .gone }
            if try Self.isAway(entry, connection) { return .away }
            switch entry.phase {
            case .deferred: return .pending
            case .failed: return .failed(entry.failure ?? PurchaseFailure(.unknown, "The payment failed."))
            case .ready, .finished, .confirmed:
                let transaction = entry.transaction?.transactionIdentifier
                guard let transaction, let row = try SignedRow.load(connection, transaction) else {
                    return .waiting(transaction: transaction)
                }
                return .purchased(row)
            case .added, .sending, .waiting, .arrived, .away, .returning, .removed:
                return .waiting(transaction: entry.transaction?.transactionIdentifier)
            }
        }
        if case .purchased = outcome { await readRoots() }
        return outcome
    }

    /// Whether the payment is decided, and another customer has signed in
    /// since. A purchase may itself sign its customer in: the receipt of that
    /// account is required then.
    private static func isAway(_ entry: JournalEntry, _ connection: any Connection) throws -> Bool {
        guard entry.phase != .away else { return true }
        guard entry.isInQueue, let buyer = entry.position?.account else { return false }
        return try JournalState.load(connection).receiptAccount.map { $0 != buyer } ?? false
    }

    /// The transaction of a purchase that has left the queue.
    ///
    /// Without its number, the purchase may have failed, and another
    /// subscriber of the queue has finished it. A product that the customer
    /// owns has a transaction nevertheless. That of a consumable would be
    /// another purchase's.
    ///
    /// - Throws: `DatabaseError`.
    package func departed(_ transaction: String?, of product: String) async throws -> SignedRow? {
        if let transaction { return try await signedTransaction(transaction) }
        return try await signedTransactions(of: product, isOwned: true).first
    }

    /// Removes a failed payment from the queue.
    ///
    /// - Throws: `DatabaseError`.
    package func removeFailed(_ identifier: AgentTransaction.ID) async throws {
        let finished = try await journal.database.write { connection in
            try Journal.removeFailed(connection, identifier)
        }
        if let finished { delivery.finished(finished) }
        synchronizer.changed()
    }

    /// Records that no task waits for a payment any more: when it fails, it is
    /// removed from the queue.
    package func abandon(_ identifier: AgentTransaction.ID) {
        delivery.abandoned.insert(identifier)
        delivery.look()
    }

    /// Removes the failed payments of earlier processes that no task waits for
    /// any more.
    ///
    /// - Throws: `DatabaseError`.
    package func removeFailedPurchases() async throws {
        let (process, isAlive) = (presence.identifier, presence.isAlive)
        let failed = try await journal.database.read { connection in
            try JournalEntry.load(connection, in: [.failed]).filter { entry in
                entry.payment.isAwaited && entry.adder != process && !(entry.adder.map(isAlive) ?? false)
            }.map(\.identifier)
        }
        for identifier in failed { try await removeFailed(identifier) }
    }
}

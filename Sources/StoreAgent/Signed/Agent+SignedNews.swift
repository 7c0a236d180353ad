// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

/// News about signed transactions, for the listeners of StoreKit 2.
extension Agent {
    /// The number of the last change that an earlier process has delivered.
    ///
    /// - Throws: `DatabaseError`.
    package func deliveredSignedTransactions() async throws -> Int64 {
        try await journal.deliveredSigned()
    }

    /// Records that all changes up to a number were delivered, so that no later
    /// process delivers them.
    ///
    /// - Throws: `DatabaseError`.
    package func deliveredSignedTransactions(upTo change: Int64) async throws {
        try await journal.deliveredSigned(upTo: change)
    }

    /// The changes after a given one that are news for the app, oldest first:
    /// transactions that aren't in the queue of this device, such as another
    /// device's, revoked ones, refunds that were taken back, and extended
    /// periods.
    ///
    /// - Returns: the news of a batch of changes, the number of the batch's
    ///   last change, and whether no changes follow.
    /// - Throws: `DatabaseError`.
    package func signedNews(
        after change: Int64
    ) async throws -> (news: [SignedRow], last: Int64, isWhole: Bool) {
        let (news, last, isWhole) = try await journal.signedNews(after: change)
        if !news.isEmpty { await readRoots() }
        return (news, last, isWhole)
    }

    /// A transaction that was news after a change; `nil` when the app has
    /// finished it meanwhile, when it has changed again, so that it is news
    /// later, and when it is none of the customer who is signed in.
    ///
    /// - Throws: `DatabaseError`.
    package func signedNews(_ version: SignedRow.Version, after change: Int64) async throws -> SignedRow? {
        try await journal.signedNews(version, after: change)
    }

    /// The unfinished transactions of the queue before a place, the newest
    /// purchase first: those that this process delivers or, with
    /// `includesFree`, may deliver. With an account, there are none of another
    /// one. `next` is the place before which the next
    /// batch begins; `nil` after the last one.
    ///
    /// Only the process that holds a transaction passes it to listeners: two
    /// processes may both see a free one. The round that takes it posts a
    /// change.
    ///
    /// - Throws: `DatabaseError`.
    package func unfinishedSignedTransactions(
        account: String? = nil, before place: SignedRow.Place? = nil, includesFree: Bool = true
    ) async throws -> (rows: [(entry: AgentTransaction.ID, row: SignedRow)], next: SignedRow.Place?) {
        let (found, processes) = try await journal.unfinishedSigned(account: account, before: place)
        if !found.isEmpty { await readRoots() }
        let claim = Claim(processes, of: presence.identifier, isAlive: presence.isAlive)
        let rows = found.filter { entry, _ in
            (claim.holds(entry) || includesFree && claim.mayTake(entry)) && !delivery.isFinished(entry.identifier)
        }
        let next = found.count < Journal.signedBatch ? nil : found.last?.row.place
        return (rows.map { ($0.entry.identifier, $0.row) }, next)
    }

    /// Whether an entry of the queue is a transaction that the app hasn't finished.
    ///
    /// - Throws: `DatabaseError`.
    package func isUnfinished(_ entry: AgentTransaction.ID) async throws -> Bool {
        try await journal.database.read { try JournalEntry.load($0, entry)?.phase == .ready }
    }

    /// Finishes a transaction that the app has delivered. Finishing it again
    /// changes nothing.
    ///
    /// When this returns, the finish is durable in the journal. When the
    /// journal can't be written, the error is logged, and the write is
    /// repeated.
    package func finishSigned(_ transaction: AgentTransaction.Delivered) async {
        let number = transaction.transactionIdentifier
        // The queue knows a transaction by its entry, also while the finish can't be saved.
        var entry = number
        do {
            let (known, isDone) = try await journal.database.read { connection in
                let known = try JournalEntry.load(connection, transaction: number)
                guard known == nil || known?.phase == .finished || known?.phase == .confirmed else {
                    return (known?.identifier, false)
                }
                return (known?.identifier, try SignedRow.load(connection, number)?.isFinished ?? false)
            }
            guard !isDone else { return }
            entry = known ?? number
            faults.before(.finish)
            let now = clock.now
            let finished = try await journal.database.write { [entry] connection in
                try Journal.finish(connection, entry, delivered: transaction, now: now)
            }
            faults.after(.finish)
            returnedTransactions.remove([number])
            if let finished { delivery.finished(finished) }
            synchronizer.changed()
        } catch {
            delivery.finishLater(entry, transaction, error)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension SnapshotEvent: JournalledEvent {
    var arrivals: (transactions: [TransactionInfo], position: EventPosition?) {
        (snapshot.transactions, snapshot.position)
    }

    func apply(_ connection: any Connection, question: Int64, now: Int64) throws {
        for transaction in snapshot.transactions {
            try Journal.arrive(connection, transaction, snapshot.position, question: question, now: now)
        }
        let held = Set(snapshot.transactions.map(\.transactionIdentifier))
        if let position = snapshot.position {
            try Journal.reinstate(connection, snapshot.reinstated ?? [], in: position.account)
            try Journal.revoke(connection, snapshot.revoked ?? [], at: position, now: now)
        }
        let signed = try SignedState.load(connection)
        for entry in try JournalEntry.load(connection, in: [.arrived, .ready, .away, .returning, .confirmed]) {
            guard let transaction = entry.transaction, !held.contains(transaction.transactionIdentifier) else {
                continue
            }
            // The page that has the transaction must find that it is finished.
            guard entry.phase != .confirmed || !signed.expects(entry.position) else { continue }
            let omitted = JournalEntry.Input.omitted(account: snapshot.position?.account, question: question)
            try Journal.depart(connection, entry, omitted, now: now)
        }
        try Journal.wantKeyValues(connection)
        let isLate = try Self.hasLater(than: snapshot.position, question: question, connection)
        try JournalState.update(connection) { state in
            let isOvertaken = snapshot.position.map { state.hasLaterReceipt(than: $0, question: question) } ?? false
            state.position = snapshot.position
            state.snapshotQuestion = question
            state.storefront = snapshot.storefront ?? state.storefront
            state.clockOffset = snapshot.clockOffset ?? 0
            if let position = snapshot.position {
                if !isLate, !isOvertaken { state.noticeBackup(position) }
                state.wantReceipt(position)
            } else {
                state.wantedReceipt = nil
            }
        }
    }

    /// Whether the journal has a transaction that arrived after a request was
    /// sent and is newer than its answer. The answer is late then, and not
    /// that of a store that was restored from a backup.
    private static func hasLater(
        than position: EventPosition?, question: Int64, _ connection: any Connection
    ) throws -> Bool {
        guard let position else { return false }
        return try connection.row(
            "SELECT 1 FROM entry WHERE account = $1 AND number > $2 AND question >= $3 LIMIT 1",
            [position.account, position.number, question]) != nil
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

/// The receipts that have to be fetched.
struct WantedReceipts: Sendable, Hashable {
    /// The position that the app receipt has to reach; `nil` when it has.
    var app: EventPosition?
    /// The transactions that the app receipt is new enough for and that wait
    /// for their own receipts; oldest first, at most as many as one message may name.
    var transactions: [String]

    var isEmpty: Bool { app == nil && transactions.isEmpty }
}

extension Journal {
    func wantedReceipts() async throws -> WantedReceipts {
        try await database.read { connection in try Self.wantedReceipts(connection) }
    }

    static func wantedReceipts(_ connection: any Connection) throws -> WantedReceipts {
        let state = try JournalState.load(connection)
        var wanted = WantedReceipts(app: state.needsReceipt ? state.wantedReceipt : nil, transactions: [])
        guard let receipt = state.receipt else { return wanted }
        // Those that wait for events aren't asked for. If the events are of
        // another account than the receipt, the answer says whose receipt
        // belongs here.
        let waits = !state.hasEventsOfReceipt && state.position?.account == receipt.account
        let lists = waits ? "AND listed = $4" : ""
        // Another account's receipt makes entries leave. If the account signs
        // in again before the event stream has noticed, no snapshot brings
        // them back: its receipt does.
        let last: JournalEntry.Phase = state.hasEventsOfReceipt ? .away : .returning
        wanted.transactions = try connection.rows(
            """
            SELECT transaction_identifier FROM entry
            WHERE phase IN ($1, $2, $6) AND account = $3 AND number <= $4 AND transaction_identifier IS NOT NULL
                \(lists)
            ORDER BY sequence LIMIT $5
            """,
            [
                JournalEntry.Phase.arrived.rawValue, JournalEntry.Phase.returning.rawValue, receipt.account,
                receipt.number, TransactionReceiptsCall.limit, last.rawValue,
            ]
        ).map { try $0.get("transaction_identifier") }
        return wanted
    }

    /// Saves the receipts of single transactions, and makes all requested
    /// transactions ready that may be delivered: one that the answer has no
    /// receipt for doesn't wait any longer.
    ///
    /// When the answer is for another account than the app receipt, the
    /// transactions stay as they are, and that account's app receipt is
    /// requested.
    func received(_ answer: TransactionReceiptsCall.Answer, asked: [String], now: Int64) async throws {
        try await database.write { connection in
            let state = try JournalState.load(connection)
            guard let receipt = state.receipt, receipt.account == answer.account else {
                if let account = answer.account, account != state.receiptAccount {
                    try JournalState.update(connection) { $0.wantReceipt(EventPosition(account: account, number: 0)) }
                }
                return
            }
            for transaction in asked {
                // The app receipt may have been replaced since the question.
                guard let entry = try JournalEntry.load(connection, transaction: transaction), state.mayDeliver(entry)
                else { continue }
                if let text = answer.receipts[transaction] {
                    try connection.run(
                        """
                        INSERT INTO transaction_receipt (transaction_identifier, receipt) VALUES ($1, $2)
                        ON CONFLICT (transaction_identifier) DO UPDATE SET receipt = $2
                        """, [transaction, text])
                }
                try Self.handle(connection, entry, .receipt(receipt), now: now)
            }
        }
    }

    /// The receipt of a single transaction, in base64; `nil` after its entry
    /// was deleted.
    func transactionReceipt(_ transaction: String) throws -> String? {
        try database.read { connection in
            try connection.row(
                "SELECT receipt FROM transaction_receipt WHERE transaction_identifier = $1", [transaction]
            )?.get("receipt")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

internal import StoreAPI
internal import StoreDatabase

/// The receipts that have to be fetched.
struct WantedReceipts: Sendable, Hashable {
    /// How new the app's must be; `nil` when it is.
    var app: EventPosition?
    /// Transactions that the app's receipt holds, and that have none of their
    /// own yet; oldest first, as many as one message may name.
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
        wanted.transactions = try connection.rows(
            """
            SELECT transaction_identifier FROM entry
            WHERE phase IN ($1, $2) AND account = $3 AND number <= $4 AND transaction_identifier IS NOT NULL
            ORDER BY sequence LIMIT $5
            """,
            [
                QueueEntry.Phase.arrived.rawValue, QueueEntry.Phase.returning.rawValue, receipt.account,
                receipt.number, TransactionReceiptsCall.limit,
            ]
        ).map { try $0.get("transaction_identifier") }
        return wanted
    }

    /// Writes down the receipts of single transactions, and with them that
    /// the transactions that were asked for are ready: of what has none there
    /// is nothing to wait for. The answer for another account than the app
    /// receipt's says nothing of them, but that its receipt is wanted.
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
                guard let entry = try QueueEntry.load(connection, transaction: transaction) else { continue }
                if let text = answer.receipts[transaction] {
                    try connection.run(
                        """
                        INSERT INTO transaction_receipt (transaction_identifier, receipt) VALUES ($1, $2)
                        ON CONFLICT (transaction_identifier) DO UPDATE SET receipt = $2
                        """, [transaction, text])
                }
                _ = try Self.handle(connection, entry, .receipt(receipt), now: now)
            }
        }
    }

    /// The receipt of a single transaction, base64, as long as the
    /// transaction is in the journal.
    func transactionReceipt(_ transaction: String) throws -> String? {
        try database.read { connection in
            try connection.row(
                "SELECT receipt FROM transaction_receipt WHERE transaction_identifier = $1", [transaction]
            )?.get("receipt")
        }
    }
}

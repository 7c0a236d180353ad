// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

// Downloads that the daemon starts, because no process of the app runs that
// could.
extension Journal {
    /// Those of some transactions that the journal doesn't have yet.
    func unknown(_ transactions: [TransactionInfo]) async throws -> [String] {
        let identifiers = transactions.map(\.transactionIdentifier)
        return try await database.read { connection in
            try identifiers.filter { try JournalEntry.load(connection, transaction: $0) == nil }
        }
    }

    /// Starts the downloads that are offered for transactions, unless a
    /// living process of the app receives the transactions, and decides.
    func startOffers(of transactions: [String], isAlive: @escaping @Sendable (String) -> Bool) async throws {
        try await database.write { connection in
            guard try !Self.observers(connection).contains(where: isAlive) else { return }
            for transaction in transactions {
                for download in try Download.load(connection, of: transaction) where download.phase == .offered {
                    let turn = try JournalState.nextSequence(connection)
                    try Self.handle(connection, download, .start(turn: turn, hasContent: false))
                }
            }
        }
    }
}

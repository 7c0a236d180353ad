// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

/// The downloads that the daemon starts, because no process of the app runs
/// that could.
struct OfferStart: Sendable {
    /// The transactions that a change of the journal saves.
    private let transactions: [String]
    private let isAlive: @Sendable (String) -> Bool

    /// Starts no download.
    static let none = OfferStart([]) { _ in false }

    /// Starts the downloads of the transactions that the journal doesn't have
    /// yet, unless a living process of the app receives the transactions, and
    /// decides.
    init(_ transactions: [TransactionInfo], isAlive: @escaping @Sendable (String) -> Bool) {
        self.transactions = transactions.map(\.transactionIdentifier)
        self.isAlive = isAlive
    }

    /// Runs a closure that saves the transactions, and starts their downloads
    /// in the same transaction of the journal: a daemon that dies has done
    /// both, or neither.
    func saving<Result>(_ connection: any Connection, _ save: () throws -> Result) throws -> Result {
        let new = try transactions.filter { try JournalEntry.load(connection, transaction: $0) == nil }
        let result = try save()
        guard !new.isEmpty, try !Journal.observers(connection).contains(where: isAlive) else { return result }
        for transaction in new {
            for download in try Download.load(connection, of: transaction) where download.phase == .offered {
                let turn = try JournalState.nextSequence(connection)
                try Journal.handle(connection, download, .start(turn: turn, hasContent: false))
            }
        }
        return result
    }
}

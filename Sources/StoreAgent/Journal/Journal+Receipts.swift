// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension Journal {
    func state() async throws -> JournalState {
        try await database.read { connection in try JournalState.load(connection) }
    }

    func state() throws -> JournalState {
        try database.read { connection in try JournalState.load(connection) }
    }

    /// Saves the position and the environment of the receipt on disk, and
    /// which of the waiting transactions it lists. Takes back those that have
    /// become ready during the replacement, and that it doesn't list.
    func received(_ position: EventPosition?, environment: String, listing transactions: Set<String>) throws {
        try database.write { connection in
            let state = try JournalState.update(connection) { state in
                state.environment = environment
                if let position {
                    state.receipt = position
                    state.receiptQuestion = state.question
                    state.needsReceiptAgain = false
                }
                return state
            }
            guard let position, !state.hasEventsOfReceipt else { return }
            for var entry in try JournalEntry.load(connection, in: [.arrived, .returning])
            where entry.position?.account == position.account && entry.isListed(in: transactions) {
                entry.listed = position.number
                try entry.save(connection)
            }
            try Self.takeBackUnlisted(connection, position, listing: transactions)
        }
    }

    /// Prepares the replacement of the receipt on disk by one with a position
    /// and a list of transactions.
    ///
    /// If it is another account's, deletes its position and takes back the
    /// transactions that it made ready. A process that dies before the new
    /// file is in place then leaves no record of a receipt that may be gone,
    /// and no purchases that depend on it.
    ///
    /// If the new receipt is newer than the journal's events, takes back the
    /// transactions of its account that it doesn't list: one of the events may
    /// have removed them.
    func willReplaceReceipt(by position: EventPosition, listing transactions: Set<String>) throws {
        let state = try state()
        let isOfAnother = state.receipt?.account != position.account
        let isAhead = !state.hasEvents(upTo: position)
        guard isOfAnother || isAhead else { return }
        try database.write { connection in
            if isOfAnother {
                try JournalState.update(connection) { $0.receipt = nil }
                for entry in try JournalEntry.ready(connection, butNotOf: position.account) {
                    try Self.handle(connection, entry, .receipt(position), now: entry.date)
                }
            }
            if isAhead { try Self.takeBackUnlisted(connection, position, listing: transactions) }
        }
    }

    private static func takeBackUnlisted(
        _ connection: any Connection, _ position: EventPosition, listing transactions: Set<String>
    ) throws {
        for entry in try JournalEntry.load(connection, in: [.ready])
        where entry.position?.account == position.account && !entry.isListed(in: transactions) {
            try handle(connection, entry, .unlisted, now: entry.date)
        }
    }

    /// Requires receipts of the account that the store has answered for.
    func follow(_ answered: EventPosition, askedFor account: String?) throws {
        try database.write { connection in
            try JournalState.update(connection) { $0.follow(answered, askedFor: account) }
        }
    }

    /// Requests a receipt again after the file was removed.
    func lostReceipt() async throws {
        try await database.write { connection in
            try JournalState.update(connection) { state in
                guard let receipt = state.receipt else { return }
                state.receipt = nil
                state.wantReceipt(state.position ?? receipt)
            }
        }
    }

    /// Saves the customer's storefront if none is known yet. Later changes
    /// come with the store's events.
    func learn(storefront: StorefrontInfo) async throws {
        guard try await state().storefront == nil else { return }
        try await database.write { connection in
            try JournalState.update(connection) { $0.storefront = $0.storefront ?? storefront }
        }
    }

    /// Saves the store's environment: `Sandbox` or `Production`.
    func learn(environment: String) async throws {
        try await database.write { connection in
            try JournalState.update(connection) { $0.environment = environment }
        }
    }
}

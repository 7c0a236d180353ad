// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension Journal {
    /// Counts a request for the whole queue before it is sent. If it is the
    /// opening of an event stream, the price increases are forgotten, which
    /// the new stream brings anew.
    ///
    /// - Returns: the request's number, and the position after which events
    ///   are requested; `nil` for the whole queue. That is also requested when
    ///   the receipt is of another account than the events: their account may
    ///   have signed in again unnoticed, so that no event would require its
    ///   receipt.
    func ask(opensStream: Bool = false) async throws -> (question: Int64, position: EventPosition?) {
        try await database.write { connection in
            let state = try JournalState.update(connection) { state in
                state.question += 1
                if opensStream { state.priceIncreases = nil }
                return state
            }
            let isOfOneAccount = state.receiptAccount == state.position?.account
            return (state.question, isOfOneAccount ? state.position : nil)
        }
    }

    /// Whether the journal has an entry whose finish the store has confirmed.
    /// A later snapshot without its transaction deletes it.
    func remembersFinished() async throws -> Bool {
        try await database.read { connection in
            try connection.row("SELECT 1 FROM entry WHERE phase = $1 LIMIT 1", [JournalEntry.Phase.confirmed.rawValue])
                != nil
        }
    }

    /// Applies an event, saves its position and starts downloads in one
    /// transaction.
    ///
    /// - Throws: `DatabaseError`, ``AgentError`` with the code `journalVersion`.
    func apply(
        _ event: any JournalledEvent, question: Int64, now: Int64, starting offers: OfferStart = .none
    ) async throws {
        try await database.write { connection in
            try Self.checkVersion(connection)
            try offers.saving(connection) { try event.apply(connection, question: question, now: now) }
        }
    }

    /// Saves a transaction in the entry of its payment, in the entry that has
    /// it already, or in a new entry. No two entries have the same
    /// transaction.
    ///
    /// A payment that only changes the plan of a subscription is answered with
    /// the current transaction, which another entry may have: one that the app
    /// hasn't finished, or one that is remembered as finished. The payment's
    /// entry takes its place.
    ///
    /// A redemption ends with its purchase, about which the store sends no
    /// other news.
    static func arrive(
        _ connection: any Connection, _ transaction: TransactionInfo, _ position: EventPosition?, question: Int64,
        restore: AppRequest? = nil, now: Int64
    ) throws {
        let known = try JournalEntry.load(connection, transaction: transaction.transactionIdentifier)
        var entry: JournalEntry
        var replaced: JournalEntry?
        if let request = transaction.requestIdentifier,
            let asked = try JournalEntry.load(connection, request: request), asked.isOpen
        {
            (entry, replaced) = (asked, known)
        } else if let known {
            entry = known
        } else {
            let sequence = try JournalState.nextSequence(connection)
            try checkRoom(before: sequence, connection)
            entry = .unasked(transaction, sequence: sequence, now: now)
        }
        if let request = transaction.requestIdentifier {
            try AppRequest.delete(redemption: request, connection)
        }
        if let restore, entry.holder == nil {
            entry.restore = restore.identifier
            entry.adder = restore.process
        }
        try handle(
            connection, entry, .arrived(transaction, position, question: question), inPlaceOf: replaced, now: now)
    }

    /// The largest number of entries. Beyond it, a transaction that needs a
    /// new entry is refused.
    static let entryLimit = 100_000

    private static func checkRoom(before sequence: Int64, _ connection: any Connection) throws {
        // Counting takes time that grows with the journal.
        guard sequence > entryLimit else { return }
        let count: Int = try connection.row("SELECT count(*) AS n FROM entry")?.get("n") ?? 0
        guard count < entryLimit else {
            throw StoreFailure(
                .unreadableAnswer,
                "The store has sent more than \(entryLimit) transactions that aren't finished. Nothing more is taken.")
        }
    }

    /// Removes the transactions of refunded purchases from the queue, and
    /// saves a revocation for each product that the customer has lost.
    static func revoke(
        _ connection: any Connection, _ revoked: [RevokedInfo], at position: EventPosition, now: Int64
    ) throws {
        guard !revoked.isEmpty else { return }
        let isRevoked = revoked.revokes
        for entry in try JournalEntry.load(connection, in: [.arrived, .ready, .away, .returning]) {
            guard let transaction = entry.transaction, isRevoked(transaction) else { continue }
            try handle(connection, entry, .removed, now: now)
            try hideSigned(connection, transaction.transactionIdentifier)
        }
        for revoked in revoked where revoked.isEntitlement {
            try RevokedProduct(product: revoked.productIdentifier, position: position).save(connection)
        }
        try JournalState.update(connection) { $0.wantReceipt(position) }
    }

    /// Removes the revocations of products that the customer has again, unless
    /// the app has received them. A new receipt brings the products.
    static func reinstate(_ connection: any Connection, _ reinstated: [RevokedInfo], in account: String) throws {
        for product in Set(reinstated.filter(\.isEntitlement).map(\.productIdentifier)) {
            try RevokedProduct.delete(product, of: account, connection)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension Journal {
    /// Counts a request for the whole queue before it is sent.
    ///
    /// - Returns: the request's number, and the position after which events
    ///   are requested.
    func ask() async throws -> (question: Int64, position: EventPosition?) {
        try await database.write { connection in
            let state = try JournalState.update(connection) { state in
                state.question += 1
                return state
            }
            return (state.question, state.position)
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

    /// Applies an event and saves its position in one transaction.
    func apply(_ event: StoreEvent, question: Int64, now: Int64) async throws {
        try await database.write { connection in
            switch event {
            case .snapshot(let snapshot):
                try Self.apply(connection, snapshot, question: question, now: now)
            case .transaction(let transaction, let position):
                let state = try JournalState.load(connection)
                guard state.isNews(position) else { return }
                _ = try Self.arrive(connection, transaction, position, question: question, now: now)
                try Self.move(connection, to: position)
            case .removed(let identifier, let position):
                guard try JournalState.load(connection).isNews(position) else { return }
                if let entry = try JournalEntry.load(connection, transaction: identifier) {
                    _ = try Self.handle(connection, entry, .removed, now: now)
                }
                // A finished consumable may no longer be in the receipt.
                try JournalState.update(connection) { $0.wantReceipt(position) }
                try Self.move(connection, to: position)
            case .revoked(let revoked, let position):
                guard try JournalState.load(connection).isNews(position) else { return }
                try Self.revoke(connection, [revoked], at: position, now: now)
                try Self.move(connection, to: position)
            case .storefront(let storefront, let position):
                guard try JournalState.load(connection).isNews(position) else { return }
                try JournalState.update(connection) { $0.storefront = storefront }
                try Self.move(connection, to: position)
            case .keyValues(let position):
                guard try JournalState.load(connection).isNews(position) else { return }
                try Self.wantKeyValues(connection)
                try Self.move(connection, to: position)
            case .position(let position):
                guard try JournalState.load(connection).isNews(position) else { return }
                try Self.move(connection, to: position)
            case .request, .accountChanged:
                break
            }
        }
    }

    /// Saves a transaction in the entry that has it already, in the entry of
    /// its payment, or in a new entry. No two entries have the same
    /// transaction.
    static func arrive(
        _ connection: any Connection, _ transaction: TransactionInfo, _ position: EventPosition?, question: Int64,
        restore: AppRequest? = nil, now: Int64
    ) throws -> [JournalEntry.Effect] {
        var entry: JournalEntry
        if let known = try JournalEntry.load(connection, transaction: transaction.transactionIdentifier) {
            entry = known
        } else if let request = transaction.requestIdentifier,
            let asked = try JournalEntry.load(connection, request: request), asked.isOpen
        {
            entry = asked
        } else {
            let sequence = try JournalState.nextSequence(connection)
            try checkRoom(before: sequence, connection)
            entry = .unasked(transaction, sequence: sequence, now: now)
        }
        if let restore, entry.holder == nil {
            entry.restore = restore.identifier
            entry.adder = restore.process
        }
        return try handle(connection, entry, .arrived(transaction, position, question: question), now: now)
    }

    /// The largest number of entries. Beyond it, a transaction that needs a
    /// new entry is refused.
    private static let entryLimit = 100_000

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
    private static func revoke(
        _ connection: any Connection, _ revoked: [RevokedInfo], at position: EventPosition, now: Int64
    ) throws {
        guard !revoked.isEmpty else { return }
        let originals = Set(revoked.map(\.originalTransactionIdentifier))
        for entry in try JournalEntry.load(connection, in: [.arrived, .ready, .away, .returning]) {
            guard let transaction = entry.transaction, originals.contains(transaction.originalTransactionIdentifier)
            else { continue }
            _ = try handle(connection, entry, .removed, now: now)
        }
        for revoked in revoked where revoked.isEntitlement {
            try Revocation(product: revoked.productIdentifier, position: position).save(connection)
        }
        try JournalState.update(connection) { $0.wantReceipt(position) }
    }

    private static func apply(
        _ connection: any Connection, _ snapshot: QueueSnapshot, question: Int64, now: Int64
    ) throws {
        for transaction in snapshot.transactions {
            _ = try arrive(connection, transaction, snapshot.position, question: question, now: now)
        }
        let held = Set(snapshot.transactions.map(\.transactionIdentifier))
        for entry in try JournalEntry.load(connection, in: [.arrived, .ready, .away, .returning, .confirmed]) {
            guard let transaction = entry.transaction, !held.contains(transaction.transactionIdentifier) else {
                continue
            }
            let omitted = JournalEntry.Input.omitted(account: snapshot.position?.account, question: question)
            _ = try handle(connection, entry, omitted, now: now)
        }
        try wantKeyValues(connection)
        if let position = snapshot.position {
            try revoke(connection, snapshot.revoked ?? [], at: position, now: now)
        }
        let isLate = try hasLater(than: snapshot.position, question: question, connection)
        try JournalState.update(connection) { state in
            state.position = snapshot.position
            state.storefront = snapshot.storefront ?? state.storefront
            if let position = snapshot.position {
                if !isLate { state.noticeBackup(position) }
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

    private static func move(_ connection: any Connection, to position: EventPosition) throws {
        try JournalState.update(connection) { $0.position = position }
    }
}

extension JournalState {
    /// Whether an event may be missing from the journal. Several events can
    /// share one number, so an event with the last number is applied again.
    func isNews(_ other: EventPosition) -> Bool {
        guard let position, position.account == other.account else { return true }
        return other.number >= position.number
    }
}

// SPDX-License-Identifier: Apache-2.0

internal import StoreAPI
internal import StoreDatabase

extension Journal {
    /// Counts a question for the whole queue before it is asked.
    ///
    /// - Returns: the question's number, and the position to go on from.
    func ask() async throws -> (question: Int64, position: EventPosition?) {
        try await database.write { connection in
            let state = try JournalState.update(connection) { state in
                state.question += 1
                return state
            }
            return (state.question, state.position)
        }
    }

    /// Whether something that the store knows to be finished waits to be
    /// forgotten.
    func remembersFinished() async throws -> Bool {
        try await database.read { connection in
            try connection.row("SELECT 1 FROM entry WHERE phase = $1 LIMIT 1", [QueueEntry.Phase.confirmed.rawValue])
                != nil
        }
    }

    /// Writes an event down, with its number, in one step.
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
                if let entry = try QueueEntry.load(connection, transaction: identifier) {
                    _ = try Self.handle(connection, entry, .removed, now: now)
                }
                // What was finished may have left the receipt.
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

    /// Writes a transaction down: into the payment that it answers, or as one
    /// that nobody asked for here. It is in one entry, however it comes.
    static func arrive(
        _ connection: any Connection, _ transaction: TransactionInfo, _ position: EventPosition?, question: Int64,
        restore: Errand? = nil, now: Int64
    ) throws -> [QueueEntry.Effect] {
        var entry: QueueEntry
        if let known = try QueueEntry.load(connection, transaction: transaction.transactionIdentifier) {
            entry = known
        } else if let request = transaction.requestIdentifier,
            let asked = try QueueEntry.load(connection, request: request), asked.isOpen
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

    /// The number of entries above which transactions that nobody asked for
    /// here are refused.
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

    /// Takes everything out of the queue that a refund has revoked, and
    /// remembers to tell the app when it has lost something by it.
    private static func revoke(
        _ connection: any Connection, _ revoked: [RevokedInfo], at position: EventPosition, now: Int64
    ) throws {
        guard !revoked.isEmpty else { return }
        let originals = Set(revoked.map(\.originalTransactionIdentifier))
        for entry in try QueueEntry.load(connection, in: [.arrived, .ready, .away, .returning]) {
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
        for entry in try QueueEntry.load(connection, in: [.arrived, .ready, .away, .returning, .confirmed]) {
            guard let transaction = entry.transaction, !held.contains(transaction.transactionIdentifier) else {
                continue
            }
            let omitted = QueueEntry.Input.omitted(account: snapshot.position?.account, question: question)
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

    /// Whether something has come since a question was asked that is newer
    /// than the answer: it is no old one, but late.
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
    /// Whether an event with this number isn't in the journal yet. Several
    /// events may share one number, so that the last one may come again.
    func isNews(_ other: EventPosition) -> Bool {
        guard let position, position.account == other.account else { return true }
        return other.number >= position.number
    }
}

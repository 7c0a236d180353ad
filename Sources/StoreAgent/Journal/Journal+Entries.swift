// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension Journal {
    /// Saves a payment durably.
    ///
    /// - Throws: `DatabaseError`.
    func add(_ payment: AgentPayment, request: String, process: String, now: Int64) throws -> JournalEntry {
        try database.write { connection in
            let entry = JournalEntry.payment(
                payment, request: request, sequence: try JournalState.nextSequence(connection), adder: process,
                now: now)
            try entry.save(connection)
            return entry
        }
    }

    func entry(_ identifier: String) async throws -> JournalEntry? {
        try await database.read { connection in try JournalEntry.load(connection, identifier) }
    }

    /// The entry of a transaction of the store.
    func entry(ofTransaction transaction: String) throws -> JournalEntry? {
        try database.read { connection in try JournalEntry.load(connection, transaction: transaction) }
    }

    /// Applies an input to an entry and saves the result. Does nothing when
    /// the entry doesn't exist any more.
    ///
    /// - Throws: `DatabaseError`.
    @discardableResult
    func handle(_ identifier: String, _ input: JournalEntry.Input, now: Int64) async throws -> JournalEntry.Next {
        try await database.write { connection in
            guard let entry = try JournalEntry.load(connection, identifier) else { return .nothing }
            return try Self.handle(connection, entry, input, now: now)
        }
    }

    /// Applies the store's answer to a payment, and starts downloads in the
    /// same transaction.
    func answer(
        _ identifier: String, _ answer: PaymentCall.Answer, now: Int64, starting offers: OfferStart = .none
    ) async throws -> JournalEntry.Next {
        try await database.write { connection in
            try offers.saving(connection) { try Self.apply(connection, answer, to: identifier, now: now) }
        }
    }

    private static func apply(
        _ connection: any Connection, _ answer: PaymentCall.Answer, to identifier: String, now: Int64
    ) throws -> JournalEntry.Next {
        guard let entry = try JournalEntry.load(connection, identifier), entry.isOpen else { return .nothing }
        let known = try answer.transaction.flatMap { transaction in
            try JournalEntry.load(connection, transaction: transaction.transactionIdentifier)
        }
        // An event may have saved the transaction in another entry, unless the
        // store delivers it again for this payment.
        if known != nil, answer.transaction?.requestIdentifier != entry.request {
            try entry.delete(connection)
            return .nothing
        }
        if answer.transaction != nil { try Self.wantSigned(connection) }
        let question = try JournalState.update(connection) { state in
            if answer.transaction != nil { state.wantReceiptAgain(for: answer.position) }
            return state.question
        }
        return try Self.handle(
            connection, entry, .answered(answer, question: question), inPlaceOf: known, now: now)
    }

    /// Finishes an entry durably, at the app's request.
    ///
    /// An entry that isn't found by its identifier is looked up by
    /// `delivered`'s transaction identifier. If there is none either, a new
    /// entry saves the finish.
    ///
    /// - Returns: the transaction as the app could see it before, `nil` when
    ///   it wasn't visible any more.
    /// - Throws: ``AgentError`` with the code `notFinishable`,
    ///   `DatabaseError`.
    func finish(
        _ identifier: String, delivered: AgentTransaction.Delivered?, now: Int64
    ) throws -> AgentTransaction? {
        try database.write { connection in
            try Self.finish(connection, identifier, delivered: delivered, now: now)
        }
    }

    /// Finishes an entry, as part of a write.
    static func finish(
        _ connection: any Connection, _ identifier: String, delivered: AgentTransaction.Delivered?, now: Int64
    ) throws -> AgentTransaction? {
        var entry = try JournalEntry.load(connection, identifier)
        if entry == nil, let delivered {
            entry = try JournalEntry.load(connection, transaction: delivered.transactionIdentifier)
        }
        guard let entry else {
            guard let delivered else { return nil }
            let sequence = try JournalState.nextSequence(connection)
            try JournalEntry.finished(delivered, sequence: sequence, now: now).save(connection)
            try SignedRow.finish(connection, delivered.transactionIdentifier)
            return nil
        }
        try handle(connection, entry, .finish(isDelivered: delivered != nil), now: now)
        return entry.shown
    }

    /// Records that the app cancels a payment.
    func withdraw(_ identifier: String, now: Int64) throws {
        try database.write { connection in
            guard let entry = try JournalEntry.load(connection, identifier) else { return }
            try Self.handle(connection, entry, .withdraw, now: now)
        }
    }

    /// The identifiers of the entries whose finish the store hasn't confirmed.
    func unconfirmedFinishes() async throws -> [String] {
        try await database.read { connection in
            try JournalEntry.load(connection, in: [.finished]).map(\.identifier)
        }
    }

    /// Records that the store has confirmed a finish.
    func confirm(_ identifier: String, now: Int64) async throws {
        try await database.write { connection in
            guard let entry = try JournalEntry.load(connection, identifier) else { return }
            let question = try JournalState.load(connection).question
            try Self.handle(connection, entry, .confirmed(question: question), now: now)
        }
    }

    /// Applies an input to an entry, saves or deletes the entry, and requires
    /// the receipt that the entry waits for from now on.
    @discardableResult
    static func handle(
        _ connection: any Connection, _ entry: JournalEntry, _ input: JournalEntry.Input, now: Int64
    ) throws -> JournalEntry.Next {
        let awaited = entry.awaitedReceipt
        let before = entry.phase
        var entry = entry
        let next = try entry.handle(input, now: now)
        // An entry that goes on waiting requires nothing again: its account
        // may have signed out since.
        if let position = entry.awaitedReceipt, position != awaited {
            try JournalState.update(connection) { $0.wantReceipt(position) }
        }
        if entry.phase == .removed {
            try entry.delete(connection)
        } else {
            try entry.save(connection)
            try updateParts(connection, of: entry, input, endsNow: entry.phase == .finished && before != .finished)
        }
        return next
    }

    /// Applies an input that may bring a transaction, and deletes another entry
    /// that has it.
    ///
    /// A transaction that the app has finished on this device by StoreKit 2
    /// alone stays finished, and its finish is sent to the store: StoreKit 2
    /// gives the app purchases of the store's signed pages as updates, also
    /// while the answer to their payment is late or another device has them in
    /// its queue.
    @discardableResult
    static func handle(
        _ connection: any Connection, _ entry: JournalEntry, _ input: JournalEntry.Input,
        inPlaceOf known: JournalEntry?, now: Int64
    ) throws -> JournalEntry.Next {
        try known?.delete(connection)
        let next = try handle(connection, entry, input, now: now)
        // One that is in the queue already was refunded before: its refund was taken back.
        guard !entry.isInQueue, known?.isInQueue != true else { return next }
        if let arrived = try JournalEntry.load(connection, entry.identifier), arrived.isInQueue,
            try isFinished(arrived, inPlaceOf: known, connection)
        {
            try handle(connection, arrived, .finish(isDelivered: true), now: now)
        }
        return next
    }

    /// Applies an input that takes a transaction out of the queue because
    /// another device, or the seller's server, has finished it.
    ///
    /// If no process had it from the queue, it is an update for StoreKit 2, as
    /// the purchases of other devices are. One for which a task waits isn't:
    /// the task gets it.
    static func depart(
        _ connection: any Connection, _ entry: JournalEntry, _ input: JournalEntry.Input, now: Int64
    ) throws {
        let isHeld = entry.phase != .arrived && (entry.phase != .ready || entry.holder != nil)
        try handle(connection, entry, input, now: now)
        guard !isHeld, !entry.payment.isAwaited, let transaction = entry.transaction,
            try JournalEntry.load(connection, entry.identifier) == nil
        else { return }
        try changeSigned(connection, transaction.transactionIdentifier)
    }

    /// Whether the app has finished an entry's transaction. A subscription's is
    /// delivered nevertheless, because a change of the plan is answered with
    /// it, and so is a refunded one, whose refund may have been taken back.
    private static func isFinished(
        _ entry: JournalEntry, inPlaceOf known: JournalEntry?, _ connection: any Connection
    ) throws -> Bool {
        guard let transaction = entry.transaction?.transactionIdentifier,
            let row = try SignedRow.load(connection, transaction), row.isFinished, !row.isPeriod
        else { return false }
        return !row.isRevoked || known?.phase == .finished || known?.phase == .confirmed
    }

    /// Saves the offers of content that an input brings. Of an entry that is
    /// finished it ends the downloads, and marks the signed transaction.
    private static func updateParts(
        _ connection: any Connection, of entry: JournalEntry, _ input: JournalEntry.Input, endsNow: Bool
    ) throws {
        guard let transaction = entry.transaction?.transactionIdentifier else { return }
        if endsNow {
            try closeDownloads(connection, of: transaction)
            try SignedRow.finish(connection, transaction)
        }
        guard entry.isInQueue, let offers = input.content else { return }
        try offer(connection, offers, of: transaction)
    }
}

extension JournalEntry {
    /// Whether the app has received a transaction to finish, or will.
    var isInQueue: Bool {
        switch phase {
        case .arrived, .ready, .away, .returning: true
        case .added, .sending, .waiting, .deferred, .failed, .finished, .confirmed, .removed: false
        }
    }
}

extension JournalEntry.Input {
    /// The content that the store offers for the transaction of the input.
    fileprivate var content: [ContentOffer]? {
        switch self {
        case .arrived(let transaction, _, _): transaction.content
        case .answered(let answer, _): answer.transaction?.content
        default: nil
        }
    }
}

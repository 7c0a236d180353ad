// SPDX-License-Identifier: Apache-2.0

internal import StoreAPI
internal import StoreDatabase

extension Journal {
    /// Writes a payment down, durably.
    ///
    /// - Throws: `DatabaseError`.
    func add(_ payment: AgentPayment, request: String, process: String, now: Int64) throws -> QueueEntry {
        try database.write { connection in
            let entry = QueueEntry.payment(
                payment, request: request, sequence: try JournalState.nextSequence(connection), adder: process,
                now: now)
            try entry.save(connection)
            return entry
        }
    }

    func entry(_ identifier: String) async throws -> QueueEntry? {
        try await database.read { connection in try QueueEntry.load(connection, identifier) }
    }

    /// Gives an entry its input and writes down what became of it; an entry
    /// that is gone takes no input.
    ///
    /// - Throws: `DatabaseError`.
    func handle(_ identifier: String, _ input: QueueEntry.Input, now: Int64) async throws -> [QueueEntry.Effect] {
        try await database.write { connection in
            guard let entry = try QueueEntry.load(connection, identifier) else { return [] }
            return try Self.handle(connection, entry, input, now: now)
        }
    }

    /// The input of an answer of the store to a payment.
    func answer(
        _ identifier: String, _ answer: PaymentCall.Answer, now: Int64
    ) async throws -> [QueueEntry.Effect] {
        try await database.write { connection in
            guard let entry = try QueueEntry.load(connection, identifier), entry.isOpen else { return [] }
            // An event may have brought the transaction under another name.
            if let transaction = answer.transaction?.transactionIdentifier,
                let known = try QueueEntry.load(connection, transaction: transaction)
            {
                try entry.delete(connection)
                return known.shown == nil ? [.tellObservers] : [.tellObservers, .fetchReceipt]
            }
            let question = try JournalState.load(connection).question
            return try Self.handle(connection, entry, .answered(answer, question: question), now: now)
        }
    }

    /// Finishes an entry durably, for the app. What the app has delivered is
    /// finished by the store's number when it isn't here by its name, and is
    /// remembered when it isn't here at all.
    ///
    /// - Returns: what the app saw of it last, `nil` when it had left the
    ///   queue before; and what follows.
    /// - Throws: ``AgentError`` with the code `notFinishable`, `DatabaseError`.
    func finish(
        _ identifier: String, delivered: AgentTransaction.Delivered?, now: Int64
    ) throws -> (transaction: AgentTransaction?, effects: [QueueEntry.Effect]) {
        try database.write { connection in
            var entry = try QueueEntry.load(connection, identifier)
            if entry == nil, let delivered {
                entry = try QueueEntry.load(connection, transaction: delivered.transactionIdentifier)
            }
            guard let entry else {
                guard let delivered else { return (nil, []) }
                let sequence = try JournalState.nextSequence(connection)
                try QueueEntry.finished(delivered, sequence: sequence, now: now).save(connection)
                return (nil, [.tellStore])
            }
            let effects = try Self.handle(connection, entry, .finish(isDelivered: delivered != nil), now: now)
            for case .refuse(let error) in effects { throw error }
            return (entry.shown, effects)
        }
    }

    /// Writes down that the app doesn't want a payment any more.
    func withdraw(_ identifier: String, now: Int64) throws {
        try database.write { connection in
            guard let entry = try QueueEntry.load(connection, identifier) else { return }
            _ = try Self.handle(connection, entry, .withdraw, now: now)
        }
    }

    /// Writes down that the store knows of a finish.
    func confirm(_ identifier: String, now: Int64) async throws {
        try await database.write { connection in
            guard let entry = try QueueEntry.load(connection, identifier) else { return }
            let question = try JournalState.load(connection).question
            _ = try Self.handle(connection, entry, .confirmed(question: question), now: now)
        }
    }

    /// The step that every input takes: decide, then remember.
    static func handle(
        _ connection: any Connection, _ entry: QueueEntry, _ input: QueueEntry.Input, now: Int64
    ) throws -> [QueueEntry.Effect] {
        var entry = entry
        let effects = entry.handle(input, now: now)
        if effects.contains(.fetchReceipt), let position = entry.position {
            try JournalState.update(connection) { $0.wantReceipt(position) }
        }
        if effects.contains(.forget) {
            try entry.delete(connection)
        } else {
            try entry.save(connection)
        }
        return effects
    }
}

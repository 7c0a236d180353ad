// SPDX-License-Identifier: Apache-2.0

internal import StoreAPI
internal import StoreDatabase

extension Journal {
    /// Saves an app request durably.
    func add(_ errand: Errand) throws {
        try database.write { connection in try errand.insert(connection) }
    }

    func removeErrand(_ identifier: String) throws {
        try database.write { connection in try Errand.delete(connection, identifier) }
    }

    /// Applies an input to an app request and saves the result; returns `nil`
    /// when it doesn't exist any more.
    func handle(_ identifier: String, _ input: Errand.Input) async throws -> (Errand, Errand.Next)? {
        try await database.write { connection in
            guard var errand = try Errand.load(connection, identifier) else { return nil }
            let next = errand.handle(input)
            try errand.save(connection)
            return (errand, next)
        }
    }

    /// Saves a page of a restore together with the number of the next page.
    ///
    /// A page that is older than the journal's position is requested again,
    /// because it may restore purchases that were refunded since. A page of
    /// another account is requested again too: the store fails a restore
    /// whose account is signed out.
    func restored(
        _ identifier: String, _ answer: RestoreCall.Answer, now: Int64
    ) async throws -> (Errand, Errand.Next)? {
        try await database.write { connection in
            guard var errand = try Errand.load(connection, identifier), errand.isOpen else { return nil }
            let state = try JournalState.load(connection)
            if let known = state.position, let answered = answer.position, !answer.transactions.isEmpty,
                known.account != answered.account || answered.number < known.number
            {
                return (errand, .retry)
            }
            for transaction in answer.transactions {
                _ = try Self.arrive(
                    connection, transaction, answer.position ?? state.position, question: state.question,
                    restore: errand, now: now)
            }
            let next = errand.handle(answer.nextPage.map { .page($0) } ?? .completed)
            try errand.save(connection)
            return (errand, next)
        }
    }

    /// Fails the restores that wait for a receipt that can't be accepted; the
    /// transactions that they brought stay.
    func failRestores(_ failure: AgentFailure) async throws {
        try await database.write { connection in
            let waiting = Set(try QueueEntry.load(connection, in: [.arrived]).compactMap(\.restore))
            for var errand in try Errand.load(connection)
            where errand.phase == .done && waiting.contains(errand.identifier) {
                errand.phase = .failed
                errand.failure = failure
                try errand.save(connection)
            }
        }
    }
}

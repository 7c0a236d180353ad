// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDatabase

extension Journal {
    /// Saves an app request durably.
    func add(_ appRequest: AppRequest) throws {
        try database.write { connection in try appRequest.insert(connection) }
    }

    /// Saves a request for a sheet durably, unless one of its kind is open
    /// whose process is alive or that outlives its process.
    ///
    /// - Returns: whether it was saved.
    func addFirst(_ appRequest: AppRequest, isAlive: @escaping @Sendable (String) -> Bool) throws -> Bool {
        try database.write { connection in
            let isOpen = try AppRequest.load(connection).contains { other in
                other.kind == appRequest.kind && other.isOpen
                    && (other.kind.outlivesItsProcess || isAlive(other.process))
            }
            if !isOpen { try appRequest.insert(connection) }
            return !isOpen
        }
    }

    func removeAppRequest(_ identifier: String) throws {
        try database.write { connection in try AppRequest.delete(connection, identifier) }
    }

    /// Applies an input to an app request and saves the result; returns `nil`
    /// when it doesn't exist any more. A request that has ended and that no
    /// process waits for is deleted.
    func handle(_ identifier: String, _ input: AppRequest.Input) async throws -> (AppRequest, AppRequest.Next)? {
        try await database.write { connection in
            guard var appRequest = try AppRequest.load(connection, identifier) else { return nil }
            let next = appRequest.handle(input)
            if appRequest.isOpen || appRequest.kind.isAwaited {
                try appRequest.save(connection)
            } else {
                try AppRequest.delete(connection, identifier)
            }
            return (appRequest, next)
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
    ) async throws -> (AppRequest, AppRequest.Next)? {
        try await database.write { connection in
            guard var appRequest = try AppRequest.load(connection, identifier), appRequest.isOpen else { return nil }
            let state = try JournalState.load(connection)
            if let known = state.position, let answered = answer.position, !answer.transactions.isEmpty,
                known.account != answered.account || answered.number < known.number
            {
                return (appRequest, .retry)
            }
            for transaction in answer.transactions {
                try Self.arrive(
                    connection, transaction, answer.position ?? state.position, question: state.question,
                    restore: appRequest, now: now)
            }
            if !answer.transactions.isEmpty {
                try JournalState.update(connection) { $0.wantReceiptAgain(for: answer.position) }
            }
            let next = appRequest.handle(answer.nextPage.map { .page($0) } ?? .completed)
            try appRequest.save(connection)
            return (appRequest, next)
        }
    }

    /// Fails the restores that wait for a receipt that can't be accepted; the
    /// transactions that they brought stay.
    func failRestores(_ failure: PurchaseFailure) async throws {
        try await database.write { connection in
            let waiting = Set(try JournalEntry.load(connection, in: [.arrived]).compactMap(\.restore))
            for var appRequest in try AppRequest.load(connection)
            where appRequest.phase == .done && waiting.contains(appRequest.identifier) {
                appRequest.phase = .failed
                appRequest.failure = failure
                try appRequest.save(connection)
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

// The pages of signed transactions from the store.
extension Journal {
    /// The largest number of signed transactions. Beyond it, pages are refused.
    static let signedLimit: Int64 = 200_000
    /// The largest number of renewals of an answer.
    private static let renewalLimit = 1_000
    /// The longest JWS, in bytes.
    private static let jwsLimit = 32_768

    /// Records that the app uses signed transactions.
    ///
    /// - Returns: whether it hadn't before.
    func useSigned() async throws -> Bool {
        let isUsed = try await database.read { try SignedState.load($0).isUsed }
        guard !isUsed else { return false }
        try await database.write { connection in
            try SignedState.update(connection) { state in
                state.isUsed = true
                state.wanted += 1
            }
        }
        return true
    }

    /// Records a reason to ask the store.
    ///
    /// - Returns: the count that an answer has to cover.
    func wantSigned() async throws -> Int64 {
        try await database.write { connection in
            try SignedState.update(connection) { state in
                state.isUsed = true
                state.wanted += 1
                return state.wanted
            }
        }
    }

    /// Records a reason to ask the store, if the app uses signed transactions.
    static func wantSigned(_ connection: any Connection) throws {
        guard try SignedState.load(connection).isUsed else { return }
        try SignedState.update(connection) { $0.wanted += 1 }
    }

    /// Whether the store has to be asked.
    static func needsSigned(_ connection: any Connection) throws -> Bool {
        try SignedState.load(connection).needsPages(after: JournalState.load(connection).position)
    }

    /// The next call to the store; `nil` when the store doesn't have to be
    /// asked.
    func signedQuestion(of bundleIdentifier: String, version: String) async throws -> SignedQuestion? {
        try await database.read { connection in
            guard try Self.needsSigned(connection) else { return nil }
            let state = try SignedState.load(connection)
            let call = SignedTransactionsCall(
                bundleIdentifier: bundleIdentifier, applicationVersion: version, account: state.account,
                after: state.account == nil ? nil : state.place)
            return SignedQuestion(call: call, wanted: state.wanted, change: state.change)
        }
    }

    /// Saves a page with its place and, if it is the last one, the number of
    /// the event up to which the pages are complete.
    ///
    /// An answer with a lower number than an earlier one is that of a store
    /// that was restored from a backup: all pages are fetched again. A page
    /// that was requested before a purchase was forgotten may have it, and is
    /// dropped.
    ///
    /// - Throws: `StoreFailure` `unreadableAnswer`, `DatabaseError`.
    func signedAnswered(_ answer: SignedTransactionsCall.Answer, to question: SignedQuestion) async throws {
        let (call, wanted) = (question.call, question.wanted)
        try Self.check(answer, to: call)
        try await database.write { connection in
            var state = try SignedState.load(connection)
            // Another process has saved a page since the call, or a purchase was forgotten.
            guard state.account == call.account, (state.account == nil ? nil : state.place) == call.after,
                state.change == question.change
            else { return }
            guard let position = answer.position else {
                state.known = max(state.known, wanted)
                state.isPartial = false
                return try state.save(connection)
            }
            let isRestored = state.position.map { $0.account == position.account && $0.number > position.number }
            if state.account != position.account || isRestored == true {
                try Self.clearSigned(connection)
                let begins = state.account != position.account || call.after == nil
                state.begin(position.account)
                // The answer isn't the first page.
                guard begins else {
                    state.isPartial = true
                    return try state.save(connection)
                }
            }
            try Self.save(answer.transactions, &state, connection)
            state.place = answer.next ?? state.place
            state.isPartial = answer.hasMore
            if !answer.hasMore { try Self.complete(answer, position, wanted: wanted, &state, connection) }
            try state.save(connection)
        }
    }

    /// Deletes a purchase that the store has deleted.
    static func forgetSigned(_ connection: any Connection, _ transaction: String) throws {
        guard try SignedState.load(connection).isUsed else { return }
        try SignedRow.delete(connection, transaction)
        try SignedState.update(connection) { $0.change += 1 }
    }

    /// Counts an unfinished transaction as changed, so that listeners which have
    /// read on read it again.
    static func changeSigned(_ connection: any Connection, _ transaction: String) throws {
        guard var row = try SignedRow.load(connection, transaction), !row.isFinished, row.change > 0 else { return }
        row.change = try SignedState.update(connection) { state in
            state.change += 1
            return state.change
        }
        try row.save(connection)
    }

    /// Keeps a transaction whose refund is known from an event from being an
    /// update as a valid one. The page that has the refund is one.
    static func hideSigned(_ connection: any Connection, _ transaction: String) throws {
        guard var row = try SignedRow.load(connection, transaction), !row.isRevoked else { return }
        row.change = 0
        try row.save(connection)
    }

    private static func save(
        _ transactions: [SignedTransactionInfo], _ state: inout SignedState, _ connection: any Connection
    ) throws {
        for info in transactions {
            state.change += 1
            // The purchases of a device's first pages are no news for its app, also not for a running listener.
            var row = SignedRow(info, change: state.position == nil ? 0 : state.change)
            if let known = try SignedRow.load(connection, info.transactionIdentifier) {
                row.compare(with: known)
                // The app may have finished a purchase of the first pages, before another customer has signed in.
                if known.change == 0, !row.isRevoked, row.news == 0 { row.change = 0 }
            }
            let entry = try JournalEntry.load(connection, transaction: info.transactionIdentifier)
            if entry?.phase == .finished || entry?.phase == .confirmed {
                row.isFinished = true
                row.isConsumed = row.isConsumed || row.isConsumable
            }
            try row.save(connection)
        }
        // Counting takes time that grows with the journal.
        guard state.change > signedLimit else { return }
        let count: Int64 = try connection.row("SELECT count(*) AS n FROM signed_transaction")?.get("n") ?? 0
        guard count <= signedLimit else {
            throw StoreFailure(.unreadableAnswer, "The store has sent more than \(signedLimit) signed transactions.")
        }
    }

    private static func complete(
        _ answer: SignedTransactionsCall.Answer, _ position: EventPosition, wanted: Int64, _ state: inout SignedState,
        _ connection: any Connection
    ) throws {
        state.position = position
        state.known = max(state.known, wanted)
        state.app = answer.app ?? state.app
        try connection.run("DELETE FROM signed_renewal")
        for renewal in answer.renewals ?? [] {
            try SignedRenewalRow(
                transactionIdentifier: renewal.transactionIdentifier, group: renewal.groupIdentifier,
                signed: renewal.signed
            ).save(connection)
        }
    }

    private static func clearSigned(_ connection: any Connection) throws {
        try connection.run("DELETE FROM signed_transaction")
        try connection.run("DELETE FROM signed_renewal")
    }

    private static func check(_ answer: SignedTransactionsCall.Answer, to call: SignedTransactionsCall) throws {
        let renewals = answer.renewals ?? []
        let texts = answer.transactions.map(\.signed) + renewals.map(\.signed) + [answer.app ?? ""]
        guard texts.allSatisfy({ $0.utf8.count <= jwsLimit }), renewals.count <= renewalLimit else {
            throw StoreFailure(.unreadableAnswer, "The store has sent a signed value that is too long, or too many.")
        }
        let isProgress = answer.next != nil && answer.next != call.after && !answer.transactions.isEmpty
        guard !answer.hasMore || isProgress else {
            throw StoreFailure(.unreadableAnswer, "A page of signed transactions doesn't lead to the next one.")
        }
        let renewed = renewals.map(\.transactionIdentifier)
        guard Set(renewed).count == renewed.count else {
            throw StoreFailure(.unreadableAnswer, "The store has sent two renewals of a transaction.")
        }
    }
}

/// A call for a page of signed transactions, and the state of the journal when
/// it was made.
struct SignedQuestion: Sendable {
    var call: SignedTransactionsCall
    /// The count of reasons to ask that the answer covers.
    var wanted: Int64
    /// The number of the last change of a row.
    var change: Int64
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI
import StoreCore
import StoreDatabase

/// Fetches the receipts that the journal requires. All of them are one piece.
struct ReceiptWork: BackgroundWork {
    static let name = "receipts"
    let synchronizer: StoreSynchronizer

    func pieces(_ connection: any Connection) throws -> [WorkPiece] {
        guard try !Journal.wantedReceipts(connection).isEmpty else { return [] }
        return [WorkPiece(work: self)]
    }

    func perform(_ name: String) async throws {
        try await synchronizer.fetchReceipts()
    }
}

extension StoreSynchronizer {
    /// The largest number of failed attempts in a row without a pause.
    private static let failureLimit = 10

    /// Fetches receipts until none is required: first the app receipt, until
    /// it is as new as required, then those of single transactions.
    fileprivate func fetchReceipts() async throws {
        var backoff = Backoff(random)
        var wanted = try await journal.wantedReceipts()
        var asked: [WantedReceipts] = []
        var failures = 0
        while !wanted.isEmpty {
            do {
                try await fetch(wanted)
                failures = 0
                changed()
            } catch let error as AgentError {
                failures += 1
                logger.error("Purchases wait for a receipt: \(error)")
                try await journal.failRestores(PurchaseFailure(error))
                changed()
            } catch let error where error is StoreFailure || error is ConnectionFailure {
                failures += 1
                backoff.heed(error)
                logger.info("The store has no receipt for this device now: \(error)")
            }
            // The last two are compared, because a store may alternate
            // between two accounts.
            asked = asked.suffix(1) + [wanted]
            wanted = try await journal.wantedReceipts()
            // There is no pause when other receipts are required than before,
            // because no answer covers those yet. The number of failures is
            // limited, because each answer of a store may change the required
            // receipts. A pause that the store asks for is always made.
            let pauses = asked.contains(wanted) || failures > Self.failureLimit || backoff.isAsked
            guard pauses, !wanted.isEmpty else { continue }
            try await clock.sleep(for: backoff.next())
        }
    }

    private func fetch(_ wanted: WantedReceipts) async throws {
        guard wanted.app != nil else { return try await fetchReceipts(of: wanted.transactions) }
        let account = try await journal.state().receiptAccount
        let answer = try await store.call(
            ReceiptCall(
                requestIdentifier: random.hexadecimal(bytes: 16), bundleIdentifier: folder.bundleIdentifier,
                applicationVersion: configuration.applicationVersion, mayAskToSignIn: false))
        try await keep(answer, askedFor: account)
    }

    /// Fetches the receipts of single transactions. When the store refuses
    /// them permanently, the purchases are delivered without.
    private func fetchReceipts(of transactions: [String]) async throws {
        let answer: TransactionReceiptsCall.Answer
        do {
            answer = try await store.call(
                TransactionReceiptsCall(
                    bundleIdentifier: folder.bundleIdentifier, applicationVersion: configuration.applicationVersion,
                    transactions: transactions))
        } catch let failure as StoreFailure where !failure.isTemporary {
            logger.error("Purchases have no receipts of their own: \(failure)")
            answer = TransactionReceiptsCall.Answer(account: try await journal.state().receipt?.account)
        }
        try await journal.received(answer, asked: transactions, now: clock.now)
    }

    /// Verifies a receipt, replaces the older file, and then records it in
    /// the journal. `account` is the one whose receipt was required when the
    /// request was sent.
    ///
    /// - Returns: whether the receipt on disk is now this one, or a newer one
    ///   of its account; `false` when another account has signed in since.
    /// - Throws: ``AgentError`` with the code `receipt` or `home`,
    ///   `StoreFailure` with the code `notSignedIn` when the answer has no
    ///   receipt, `DatabaseError`.
    @discardableResult
    func keep(_ answer: ReceiptCall.Answer, askedFor account: String?) async throws -> Bool {
        guard let text = answer.receipt else {
            let reason = answer.failure?.message ?? "No account is signed in to the store on this device."
            throw StoreFailure(.notSignedIn, reason)
        }
        guard let der = Data(base64Encoded: text) else {
            throw AgentError(.receipt, "The store's receipt isn't base64.")
        }
        return try receipts.keep(
            try receipts.verified(der), as: answer.position, askedFor: account, in: journal, faults: faults,
            temporary: ".receipt-\(random.hexadecimal(bytes: 8))")
    }
}

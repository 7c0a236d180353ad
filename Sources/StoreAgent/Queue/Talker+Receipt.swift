// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Logging
internal import StoreAPI

extension Talker {
    /// The number of failed attempts in a row without a pause.
    private static let failureLimit = 10

    /// Fetches receipts until nothing waits for one: the app's, until the one
    /// on disk is as new as it must be, and then those of the transactions.
    func fetchReceipts() async throws {
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
                try await journal.failRestores(AgentFailure(error))
                changed()
            } catch let error where error is StoreFailure || error is ConnectionFailure {
                failures += 1
                logger.info("The store has no receipt for this device now: \(error)")
            }
            // Two, because a store may speak of one account and then of another.
            asked = asked.suffix(1) + [wanted]
            wanted = try await journal.wantedReceipts()
            // An answer from before something else was wanted (a newer one, or
            // another account's) says nothing about that. A store may change
            // what is wanted with each of its answers.
            guard asked.contains(wanted) || failures > Self.failureLimit, !wanted.isEmpty else { continue }
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

    /// Fetches the receipts of single transactions. A purchase doesn't wait
    /// for what the store will never give it.
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

    /// Verifies a receipt, puts it in place of the older one, and only then
    /// writes down that it is there. The account is the one whose receipt was
    /// wanted before the store was asked.
    ///
    /// - Returns: whether the receipt on disk is this one, or a newer one of
    ///   its account; it isn't when another account has signed in since.
    /// - Throws: ``AgentError`` with the codes `receipt` and `home`.
    @discardableResult
    func keep(_ answer: ReceiptCall.Answer, askedFor account: String?) async throws -> Bool {
        guard let text = answer.receipt else {
            let reason = answer.failure?.message ?? "Nobody is signed in to the store on this device."
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

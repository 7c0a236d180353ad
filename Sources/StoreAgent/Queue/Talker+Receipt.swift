// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Logging
internal import StoreAPI

extension Talker {
    /// Fetches receipts until the one on disk is as new as it must be.
    func fetchReceipt() async throws {
        var backoff = Backoff(random)
        while try await journal.state().needsReceipt {
            let before = try await journal.state()
            do {
                let answer = try await store.call(
                    ReceiptCall(
                        requestIdentifier: random.hexadecimal(bytes: 16), bundleIdentifier: folder.bundleIdentifier,
                        applicationVersion: configuration.applicationVersion, mayAskToSignIn: false))
                try await keep(answer, askedFor: before.receiptAccount)
                changed()
            } catch let error as AgentError {
                logger.error("Purchases wait for a receipt: \(error)")
                try await journal.failRestores(AgentFailure(error))
                changed()
            } catch let error where error is StoreFailure || error is ConnectionFailure {
                logger.info("The store has no receipt for this device now: \(error)")
            }
            let state = try await journal.state()
            guard state.needsReceipt else { return }
            // An answer from before something else was wanted (a newer one, or
            // another account's) says nothing about that.
            guard state.wantedReceipt == before.wantedReceipt else { continue }
            try await clock.sleep(for: backoff.next())
        }
    }

    /// Verifies a receipt, puts it in place of the older one, and only then
    /// writes down that it is there. The account is the one whose receipt was
    /// wanted before the store was asked.
    ///
    /// - Throws: ``AgentError`` with the codes `receipt` and `home`.
    func keep(_ answer: ReceiptCall.Answer, askedFor account: String?) async throws {
        guard let text = answer.receipt else {
            let reason = answer.failure?.message ?? "Nobody is signed in to the store on this device."
            throw StoreFailure(.notSignedIn, reason)
        }
        guard let der = Data(base64Encoded: text) else {
            throw AgentError(.receipt, "The store's receipt isn't base64.")
        }
        try receipts.keep(
            try receipts.verified(der), as: answer.position, askedFor: account, in: journal, faults: faults,
            temporary: ".receipt-\(random.hexadecimal(bytes: 8))", now: clock.now)
    }
}

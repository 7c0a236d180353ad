// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreKit

extension SKTestSession {
    /// Makes a payment in the store, outside the app, and returns its
    /// transaction.
    func bought(_ payment: AgentPayment, _ options: [TestPurchaseOption]) async throws -> Transaction {
        guard let number = try pay(payment, options), let transaction = try await Transaction.signed(number) else {
            throw SKTestError(.noTransactionFound, message: "The purchase has no transaction yet.")
        }
        return transaction.unsafePayloadValue
    }

    /// Makes a payment in the store, outside the app.
    ///
    /// - Returns: the store's identifier of the transaction; `nil` for a payment
    ///   that waits for an approval.
    /// - Throws: ``SKTestError`` and `SKError`, also that of ``failureError``.
    func pay(_ payment: AgentPayment, _ options: [TestPurchaseOption]) throws -> String? {
        let settings = settings
        guard !settings.failsTransactions else {
            throw SKError(
                settings.failure, userInfo: [NSLocalizedDescriptionKey: "The session fails every transaction."])
        }
        return try host().buy(payment, options, request: nextRequest())
    }
}

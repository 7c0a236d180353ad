// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreKit

extension SKTestSession {
    /// Makes a payment in the store, outside the app, and returns its
    /// transaction.
    func bought(_ payment: AgentPayment, _ options: [TestPurchaseOption]) async throws -> Transaction {
        let settings = settings
        guard !settings.failsTransactions else {
            throw SKError(
                settings.failure, userInfo: [NSLocalizedDescriptionKey: "The session fails every transaction."])
        }
        guard let number = try host().buy(payment, options, request: nextRequest()),
            let transaction = try await Transaction.signed(number)
        else {
            throw SKTestError(.noTransactionFound, message: "The purchase has no transaction yet.")
        }
        return transaction.unsafePayloadValue
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreAPI

extension JournalEntry {
    /// The transaction as an app sees it; `nil` when it must not.
    var shown: AgentTransaction? {
        switch phase {
        case .added, .sending, .waiting:
            asPurchasing
        case .deferred:
            AgentTransaction(id: identifier, state: .deferred, payment: payment, date: date)
        case .arrived:
            // Without a request of this device the app first sees the
            // transaction when its receipt is there.
            request == nil ? nil : asPurchasing
        case .ready:
            decided
        case .failed:
            AgentTransaction(id: identifier, state: .failed, payment: payment, date: date, failure: failure)
        case .away, .returning, .finished, .confirmed, .removed:
            nil
        }
    }

    /// The transaction before a decision.
    var asPurchasing: AgentTransaction {
        AgentTransaction(id: identifier, state: .purchasing, payment: payment, date: date)
    }

    private var decided: AgentTransaction? {
        guard let transaction else { return nil }
        return AgentTransaction(
            id: identifier, state: transaction.restores == nil ? .purchased : .restored, payment: payment,
            transactionIdentifier: transaction.transactionIdentifier, date: transaction.purchaseDate,
            original: original(of: transaction))
    }

    /// The purchase that the transaction restores, or the first one of a chain
    /// of renewals or of the same non-consumable bought again.
    private func original(of transaction: TransactionInfo) -> AgentTransaction.Original? {
        var payment = payment
        if let restored = transaction.restores {
            payment.quantity = restored.quantity
            return AgentTransaction.Original(
                transactionIdentifier: restored.transactionIdentifier, date: restored.purchaseDate, payment: payment)
        }
        guard transaction.originalTransactionIdentifier != transaction.transactionIdentifier else { return nil }
        return AgentTransaction.Original(
            transactionIdentifier: transaction.originalTransactionIdentifier,
            date: transaction.originalPurchaseDate, payment: payment)
    }
}

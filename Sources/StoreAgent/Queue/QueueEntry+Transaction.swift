// SPDX-License-Identifier: Apache-2.0

internal import StoreAPI

extension QueueEntry {
    /// The entry as an app may see it; `nil` when it mustn't.
    var shown: AgentTransaction? {
        switch phase {
        case .added, .sending, .waiting:
            asPurchasing
        case .deferred:
            AgentTransaction(id: identifier, state: .deferred, payment: payment, date: date)
        case .arrived:
            // Without a payment of this device nobody knows of it before its
            // receipt is there.
            request == nil ? nil : asPurchasing
        case .ready:
            decided
        case .failed:
            AgentTransaction(id: identifier, state: .failed, payment: payment, date: date, failure: failure)
        case .away, .returning, .finished, .confirmed:
            nil
        }
    }

    /// How a payment looks before anything is decided.
    var asPurchasing: AgentTransaction {
        AgentTransaction(id: identifier, state: .purchasing, payment: payment, date: date)
    }

    private var decided: AgentTransaction? {
        guard let transaction else { return nil }
        let original = transaction.restores.map { restored in
            var payment = payment
            payment.quantity = restored.quantity
            return AgentTransaction.Original(
                transactionIdentifier: restored.transactionIdentifier, date: restored.purchaseDate, payment: payment)
        }
        return AgentTransaction(
            id: identifier, state: original == nil ? .purchased : .restored, payment: payment,
            transactionIdentifier: transaction.transactionIdentifier, date: transaction.purchaseDate,
            original: original)
    }

    /// Whether it is decided, so that an observer that hears of it acts.
    var isDecided: Bool {
        phase == .ready || phase == .failed
    }
}

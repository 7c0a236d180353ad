// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import StoreAgent

// What observers are told, in order, on the main queue.
extension PaymentQueueCore {
    func tell(_ update: AgentUpdate) {
        switch update {
        case .updated(let transactions):
            tellUpdated(transactions.map(SKPaymentTransaction.init))
        case .removed(let transactions):
            tellRemoved(transactions.map(SKPaymentTransaction.init))
        case .restoreFinished:
            for each in listeners { each.observer.paymentQueueRestoreCompletedTransactionsFinished(each.queue) }
        case .restoreFailed(let failure):
            tellRestoreFailed(SKError(failure))
        }
    }

    func tellUpdated(_ transactions: [SKPaymentTransaction]) {
        guard !transactions.isEmpty else { return }
        remember(told: transactions)
        for each in listeners { each.observer.paymentQueue(each.queue, updatedTransactions: transactions) }
    }

    func tellRemoved(_ transactions: [SKPaymentTransaction]) {
        guard !transactions.isEmpty else { return }
        for transaction in transactions { transaction.contents.entry.map(forgetTold) }
        for each in listeners { each.observer.paymentQueue(each.queue, removedTransactions: transactions) }
    }

    func tellRestoreFailed(_ error: SKError) {
        for each in listeners {
            each.observer.paymentQueue(each.queue, restoreCompletedTransactionsFailedWithError: error)
        }
    }
}

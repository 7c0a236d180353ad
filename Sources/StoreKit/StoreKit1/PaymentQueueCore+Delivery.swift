// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent

// Calls the observers, in order, on the main queue.
extension PaymentQueueCore {
    func notify(_ update: AgentUpdate, from agent: Agent?) {
        switch update {
        case .updated(let transactions):
            notifyUpdated(shown(transactions, of: agent))
        case .removed(let transactions):
            notifyRemoved(shown(transactions, of: agent))
        case .downloads(let downloads):
            notify(downloads, from: agent)
        case .restoreFinished:
            for each in listeners { each.observer.paymentQueueRestoreCompletedTransactionsFinished(each.queue) }
        case .restoreFailed(let failure):
            notifyRestoreFailed(SKError(failure))
        case .revoked(let revoked):
            // The agent delivers a revocation once to a process. An observer
            // whose first call waits behind this one receives it too.
            greetNew()
            let listeners = listeners
            for each in listeners {
                each.observer.paymentQueue(
                    each.queue, didRevokeEntitlementsForProductIdentifiers: revoked.map(\.product))
            }
            // Without an observer, the agent delivers them again to a later one.
            if !listeners.isEmpty { agent?.acknowledge(revoked) }
        case .priceIncrease:
            askWhetherToShowPriceConsent()
        case .storefrontChanged(let storefront, let before):
            for each in listeners { each.observer.paymentQueueDidChangeStorefront(each.queue) }
            let queue = SKPaymentQueue.default()
            if before.countryCode != storefront.countryCode {
                NotificationCenter.default.post(name: .SKStorefrontCountryCodeDidChange, object: queue)
            }
            if before.identifier != storefront.identifier {
                NotificationCenter.default.post(name: .SKStorefrontIdentifierDidChange, object: queue)
            }
            askWhetherToContinue(in: SKStorefront(storefront))
        }
    }

    /// Converts the agent's transactions to the app's.
    func shown(_ transactions: [AgentTransaction], of agent: Agent?) -> [SKPaymentTransaction] {
        transactions.map { SKPaymentTransaction($0, of: agent) }
    }

    /// Asks the queue's delegate whether to continue each pending payment in
    /// the new storefront, and cancels the others.
    private func askWhetherToContinue(in storefront: SKStorefront) {
        let queue = SKPaymentQueue.default()
        guard let delegate = queue.delegate else { return }
        for transaction in transactions
        where transaction.transactionState == .purchasing || transaction.transactionState == .deferred {
            guard !delegate.paymentQueue(queue, shouldContinue: transaction, in: storefront) else { continue }
            withdraw(transaction)
        }
    }

    /// Shows the sheet for a price increase, unless the queue's delegate wants
    /// it later, or a listener of ``Message/messages`` receives it.
    private func askWhetherToShowPriceConsent() {
        let queue = SKPaymentQueue.default()
        let shows = queue.delegate?.paymentQueueShouldShowPriceConsent(queue)
        guard shows ?? !TransactionHub.shared.hasMessageListeners else { return }
        showPriceConsent()
    }

    func notifyUpdated(_ transactions: [SKPaymentTransaction]) {
        guard !transactions.isEmpty else { return }
        remember(delivered: transactions)
        for each in listeners { each.observer.paymentQueue(each.queue, updatedTransactions: transactions) }
    }

    func notifyRemoved(_ transactions: [SKPaymentTransaction]) {
        guard !transactions.isEmpty else { return }
        for transaction in transactions { transaction.contents.entry.map(forgetDelivered) }
        for each in listeners { each.observer.paymentQueue(each.queue, removedTransactions: transactions) }
    }

    func notifyRestoreFailed(_ error: SKError) {
        for each in listeners {
            each.observer.paymentQueue(each.queue, restoreCompletedTransactionsFailedWithError: error)
        }
    }
}

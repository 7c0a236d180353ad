// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent

// The app's requests to the queue, passed on to the agent.
extension PaymentQueueCore {
    func add(_ payment: SKPayment, through queue: SKPaymentQueue) {
        do {
            _ = try host.agent().add(AgentPayment(payment))
        } catch {
            refuse(payment, SKError(describing: error))
        }
        host.settle()
    }

    func finish(_ transaction: SKPaymentTransaction) {
        guard let entry = transaction.contents.entry else {
            AgentHost.say("finishTransaction: the transaction was never in the queue.")
            return
        }
        guard !finishRefused(transaction) else { return }
        // The app may read the transaction's receipt later, when the agent has
        // deleted it.
        _ = transaction.contents.receipt?.data
        do {
            let agent = try host.agent()
            guard transaction.contents.queue == agent.configuration.home else {
                return AgentHost.say(
                    "finishTransaction: the transaction is of another session's queue, or of one that was cleared.")
            }
            let delivered = transaction.transactionIdentifier.map { number in
                AgentTransaction.Delivered(
                    transactionIdentifier: number, productIdentifier: transaction.payment.productIdentifier)
            }
            _ = try agent.finish(entry, delivered: delivered)
            forgetDelivered(entry)
        } catch {
            AgentHost.say("finishTransaction: \(error)")
        }
        host.settle()
    }

    /// Cancels a payment that the app doesn't continue.
    func withdraw(_ transaction: SKPaymentTransaction) {
        guard let entry = transaction.contents.entry else { return }
        do {
            try host.agent().withdraw(entry)
        } catch {
            AgentHost.say("shouldContinue: \(error)")
        }
        host.settle()
    }

    func restore() {
        do {
            try host.agent().restoreCompletedTransactions()
        } catch {
            let error = SKError(describing: error)
            onMain { core in core.notifyRestoreFailed(error) }
        }
        host.settle()
    }

    func presentCodeRedemption() {
        do {
            try host.agent().presentCodeRedemption()
        } catch {
            AgentHost.say("presentCodeRedemptionSheet: \(error)")
        }
        host.settle()
    }

    func showPriceConsent() {
        do {
            try host.agent().showPriceConsent()
        } catch {
            AgentHost.say("showPriceConsentIfNeeded: \(error)")
        }
        host.settle()
    }
}

extension AgentPayment {
    /// Copies a payment for the agent.
    ///
    /// - Throws: ``SKError`` `unauthorizedRequestData` for a payment with
    ///   `requestData`. Without that data the store could sell another
    ///   product than requested.
    init(_ payment: SKPayment) throws {
        guard payment.requestData == nil else {
            throw SKError(.unauthorizedRequestData, message: "requestData is reserved; leave it nil.")
        }
        self.init(
            productIdentifier: payment.productIdentifier, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, simulatesAskToBuy: payment.simulatesAskToBuyInSandbox,
            discount: payment.paymentDiscount.map(DiscountInfo.init))
    }
}

extension DiscountInfo {
    /// Copies an offer for the store, through its getters, which a subclass
    /// may have overridden.
    init(_ discount: SKPaymentDiscount) {
        self.init(
            identifier: discount.identifier, keyIdentifier: discount.keyIdentifier,
            nonce: discount.nonce.uuidString.lowercased(), signature: discount.signature,
            timestamp: discount.timestamp.int64Value)
    }
}

extension SKPaymentDiscount {
    convenience init(_ discount: DiscountInfo) {
        self.init(
            identifier: discount.identifier, keyIdentifier: discount.keyIdentifier,
            nonce: UUID(uuidString: discount.nonce) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            signature: discount.signature,
            timestamp: NSNumber(value: discount.timestamp))
    }
}

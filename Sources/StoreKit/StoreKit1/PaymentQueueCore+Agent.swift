// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import StoreAgent

// What an app asks of the queue, handed to the agent.
extension PaymentQueueCore {
    func add(_ payment: SKPayment, through queue: SKPaymentQueue) {
        do {
            _ = try host.agent().add(AgentPayment(payment))
        } catch {
            refuse(payment, SKError(describing: error))
        }
    }

    func finish(_ transaction: SKPaymentTransaction) {
        guard let entry = transaction.contents.entry else {
            AgentHost.say("finishTransaction: the transaction was never in the queue.")
            return
        }
        guard !finishRefused(transaction) else { return }
        do {
            let delivered = transaction.transactionIdentifier.map { number in
                AgentTransaction.Delivered(
                    transactionIdentifier: number, productIdentifier: transaction.payment.productIdentifier)
            }
            _ = try host.agent().finish(entry, delivered: delivered)
            forgetTold(entry)
        } catch {
            AgentHost.say("finishTransaction: \(error)")
        }
    }

    func restore(applicationUsername: String?) {
        do {
            try host.agent().restoreCompletedTransactions(applicationUsername: applicationUsername)
        } catch {
            let error = SKError(describing: error)
            onMain { core in core.tellRestoreFailed(error) }
        }
    }
}

extension AgentPayment {
    /// What the agent keeps of a payment.
    ///
    /// - Throws: ``SKError`` for a payment that says what no store could
    ///   honour: to ignore it would sell something else than was asked for.
    init(_ payment: SKPayment) throws {
        guard payment.requestData == nil else {
            throw SKError(.unauthorizedRequestData, message: "requestData is reserved; leave it nil.")
        }
        guard payment.paymentDiscount == nil else {
            throw SKError(
                .invalidOfferIdentifier,
                message: "The product \(payment.productIdentifier) has no promotional offers.")
        }
        self.init(
            productIdentifier: payment.productIdentifier, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, simulatesAskToBuy: payment.simulatesAskToBuyInSandbox)
    }
}

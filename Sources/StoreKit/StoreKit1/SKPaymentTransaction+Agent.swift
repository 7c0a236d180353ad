// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent

extension SKPaymentTransaction {
    convenience init(_ transaction: AgentTransaction, of agent: Agent? = nil) {
        var contents = Contents()
        contents.entry = transaction.id
        contents.queue = agent?.configuration.home
        contents.state = SKPaymentTransactionState(transaction.state)
        contents.payment = SKPayment(transaction.payment)
        contents.transactionIdentifier = transaction.transactionIdentifier
        contents.error = transaction.failure.map(SKError.init)
        contents.original = transaction.original.map(SKPaymentTransaction.init)
        // Before the decision, the agent's date is that of the request.
        switch transaction.state {
        case .purchased, .restored:
            contents.transactionDate = Date(milliseconds: transaction.date)
            if let agent, let number = transaction.transactionIdentifier {
                contents.receipt = TransactionReceiptLoader(of: number, in: agent)
                contents.downloads = DownloadLoader(of: number, in: agent)
            }
        case .failed:
            contents.transactionDate = Date(milliseconds: transaction.date)
        case .purchasing, .deferred:
            break
        }
        self.init(contents)
    }

    /// The original purchase of a transaction. It isn't in the queue.
    private convenience init(_ original: AgentTransaction.Original) {
        var contents = Contents()
        contents.state = .purchased
        contents.payment = SKPayment(original.payment)
        contents.transactionIdentifier = original.transactionIdentifier
        contents.transactionDate = Date(milliseconds: original.date)
        self.init(contents)
    }
}

extension SKPaymentTransactionState {
    fileprivate init(_ state: AgentTransaction.State) {
        switch state {
        case .purchasing: self = .purchasing
        case .purchased: self = .purchased
        case .failed: self = .failed
        case .restored: self = .restored
        case .deferred: self = .deferred
        }
    }
}

extension SKPayment {
    fileprivate convenience init(_ payment: AgentPayment) {
        self.init()
        contents = Contents(
            productIdentifier: payment.productIdentifier, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername,
            simulatesAskToBuyInSandbox: payment.simulatesAskToBuy,
            paymentDiscount: payment.discount.map(SKPaymentDiscount.init))
    }
}

extension Date {
    /// A time in milliseconds since 1970.
    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

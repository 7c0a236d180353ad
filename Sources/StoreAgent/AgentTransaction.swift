// SPDX-License-Identifier: Apache-2.0

package import StoreCore

/// A transaction of the payment queue, as an app sees it.
package struct AgentTransaction: Sendable, Hashable, Identifiable {
    /// The state of a transaction.
    package enum State: Sendable, Hashable {
        /// The store hasn't decided yet.
        case purchasing
        /// Paid, and the receipt on disk contains it: deliver, then finish.
        case purchased
        /// Nothing was charged; ``AgentTransaction/failure`` has the reason.
        case failed
        /// An earlier purchase was restored: deliver, then finish.
        case restored
        /// Another person has to approve the payment.
        case deferred
    }

    /// The purchase that a restored transaction restores, or the first one of a
    /// chain of renewals or of the same non-consumable bought again.
    package struct Original: Sendable, Hashable {
        /// The transaction identifier of the first purchase.
        package var transactionIdentifier: String
        /// Milliseconds since 1970.
        package var date: Int64
        /// The payment of the first purchase.
        package var payment: AgentPayment

        /// Makes the description of an earlier purchase.
        package init(transactionIdentifier: String, date: Int64, payment: AgentPayment) {
            self.transactionIdentifier = transactionIdentifier
            self.date = date
            self.payment = payment
        }
    }

    /// The part of a delivered transaction that is needed to finish it.
    package struct Delivered: Sendable, Hashable {
        /// The store's identifier of the transaction.
        package var transactionIdentifier: String
        /// The product's identifier.
        package var productIdentifier: String

        /// Makes the description of a delivered transaction.
        package init(transactionIdentifier: String, productIdentifier: String) {
            self.transactionIdentifier = transactionIdentifier
            self.productIdentifier = productIdentifier
        }
    }

    /// The agent's identifier of the transaction, the same in all launches.
    package var id: String
    package var state: State
    /// The payment that the app requested.
    package var payment: AgentPayment
    /// The store's identifier, once the transaction is purchased or restored.
    package var transactionIdentifier: String?
    /// Milliseconds since 1970 of the purchase or failure, or of the request
    /// as long as neither has happened.
    package var date: Int64
    /// The reason of a failure.
    package var failure: PurchaseFailure?
    /// The purchase that a restored transaction restores, or the first one of a
    /// chain of renewals or of the same non-consumable bought again.
    package var original: Original?

    /// Makes a transaction. Only the agent does so, for an app.
    package init(
        id: String, state: State, payment: AgentPayment, transactionIdentifier: String? = nil, date: Int64,
        failure: PurchaseFailure? = nil, original: Original? = nil
    ) {
        self.id = id
        self.state = state
        self.payment = payment
        self.transactionIdentifier = transactionIdentifier
        self.date = date
        self.failure = failure
        self.original = original
    }
}

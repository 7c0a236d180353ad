// SPDX-License-Identifier: Apache-2.0

/// One transaction of the payment queue, as an app sees it.
package struct AgentTransaction: Sendable, Hashable, Identifiable {
    /// How far a transaction is.
    package enum State: Sendable, Hashable {
        /// The store hasn't decided yet.
        case purchasing
        /// Paid, and the receipt on disk holds it: deliver, then finish.
        case purchased
        /// Nothing was charged; ``AgentTransaction/failure`` says why.
        case failed
        /// An earlier purchase came back: deliver, then finish.
        case restored
        /// Somebody else has to approve.
        case deferred
    }

    /// The purchase that a restored transaction brings back.
    package struct Original: Sendable, Hashable {
        /// The store's number of the first purchase.
        package var transactionIdentifier: String
        /// Milliseconds since 1970.
        package var date: Int64
        /// What was bought then.
        package var payment: AgentPayment

        /// Makes the description of an earlier purchase.
        package init(transactionIdentifier: String, date: Int64, payment: AgentPayment) {
            self.transactionIdentifier = transactionIdentifier
            self.date = date
            self.payment = payment
        }
    }

    /// What an app knows of a transaction that it has delivered.
    package struct Delivered: Sendable, Hashable {
        /// The store's number of the transaction.
        package var transactionIdentifier: String
        /// What was bought.
        package var productIdentifier: String

        /// Makes the description of what was delivered.
        package init(transactionIdentifier: String, productIdentifier: String) {
            self.transactionIdentifier = transactionIdentifier
            self.productIdentifier = productIdentifier
        }
    }

    /// The agent's own name for the transaction; the same over all launches.
    package var id: String
    /// How far it is.
    package var state: State
    /// What was asked for.
    package var payment: AgentPayment
    /// The store's number, once it is bought or restored.
    package var transactionIdentifier: String?
    /// Milliseconds since 1970 of the purchase, or of the failure, or of the
    /// request as long as neither has happened.
    package var date: Int64
    /// Why it failed.
    package var failure: AgentFailure?
    /// What a restored transaction restores.
    package var original: Original?

    /// Makes a transaction; the agent makes them for an app.
    package init(
        id: String, state: State, payment: AgentPayment, transactionIdentifier: String? = nil, date: Int64,
        failure: AgentFailure? = nil, original: Original? = nil
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

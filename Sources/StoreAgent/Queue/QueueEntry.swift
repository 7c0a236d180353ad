// SPDX-License-Identifier: Apache-2.0

internal import StoreAPI

/// One payment or transaction of this device, from the app's wish until the
/// store knows that it is finished.
///
/// It decides and does nothing else: inputs in, effects out. The driver
/// writes the entry down before it does what the effects say.
struct QueueEntry: Sendable, Hashable {
    /// How far an entry is. The raw values are the journal's.
    enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Written down; nothing has left the device.
        case added
        /// The store may have heard of it.
        case sending
        /// The store has heard of it and hasn't decided.
        case waiting
        /// The store waits for somebody else's approval.
        case deferred
        /// Decided: a transaction is here, its receipts aren't all yet.
        case arrived
        /// The receipt on disk holds the transaction, and its own is here.
        case ready
        /// Was ready, and another account, or none, is signed in since: shown
        /// again when its own is, and may be finished meanwhile.
        case away
        /// Was away, and is in the queue again; the receipt on disk isn't its
        /// account's yet. It was shown as bought, so it isn't shown as anything
        /// less.
        case returning
        /// Decided: nothing was charged.
        case failed
        /// The app has delivered; the store hasn't confirmed that it knows.
        case finished
        /// The store knows; remembered so that it is never shown again.
        case confirmed
    }

    /// The agent's own name for it: the request's of a payment, the
    /// transaction's of what nobody asked for here.
    let identifier: String
    /// Counts the entries of a journal; later ones have greater numbers.
    let sequence: Int64
    /// The request identifier of a payment.
    let request: String?
    var payment: AgentPayment
    /// Milliseconds since 1970 of the payment or, later, of the decision.
    var date: Int64
    var phase: Phase
    /// The process that asked, which has the first claim.
    var adder: String?
    /// The process that shows it.
    var holder: String?
    /// The restore that brought it.
    var restore: String?
    var transaction: TransactionInfo?
    /// How new a receipt must be to hold it.
    var position: EventPosition?
    /// The number of the latest question for a snapshot when this arrived, or
    /// was confirmed: only answers to later ones know of it.
    var question: Int64
    var failure: AgentFailure?
    /// The sheet that the store has asked for last.
    var sheet: String?
    /// Whether the app doesn't want it any more, as far as the store lets it.
    var isWithdrawn = false
}

extension QueueEntry {
    /// What happens to an entry.
    enum Input: Sendable, Hashable {
        /// It is about to be sent, for the first time by a process that has
        /// lived since the payment was added or not.
        case send(mayFailAtOnce: Bool)
        case answered(PaymentCall.Answer, question: Int64)
        case refused(StoreFailure)
        case unreachable(ConnectionFailure.Reach, AgentFailure, mayFailAtOnce: Bool)
        /// It can't be sent or shown, for a reason on this device.
        case impossible(AgentFailure)
        case notPresented(sheet: String, AgentFailure)
        /// A transaction came; `nil` positions need no receipt.
        case arrived(TransactionInfo, EventPosition?, question: Int64)
        /// The receipt on disk is as new as this, and its own is here.
        case receipt(EventPosition)
        /// The app has finished it; one that it has delivered it has seen
        /// decided, whatever has happened to the receipt since.
        case finish(isDelivered: Bool)
        case confirmed(question: Int64)
        /// The app doesn't go on with it in another storefront.
        case withdraw
        /// The answer to a question for a snapshot, of the account that is
        /// signed in, doesn't hold it.
        case omitted(account: String?, question: Int64)
        /// It left the queue elsewhere: finished on another device, refunded.
        case removed
    }

    /// What shall happen because of an input.
    enum Effect: Sendable, Hashable {
        case ask(mayFailAtOnce: Bool)
        /// Ask again after a pause.
        case retry
        case present(sheet: String)
        case fetchReceipt
        case tellObservers
        case tellStore
        /// Nothing is left to remember.
        case forget
        /// The input isn't allowed.
        case refuse(AgentError)
    }

    /// A payment that the app has just made.
    static func payment(
        _ payment: AgentPayment, request: String, sequence: Int64, adder: String, now: Int64
    ) -> QueueEntry {
        QueueEntry(
            identifier: request, sequence: sequence, request: request, payment: payment, date: now, phase: .added,
            adder: adder, question: 0)
    }

    /// A place for a transaction that answers no open payment; it is empty
    /// until it handles the arrival.
    static func unasked(_ transaction: TransactionInfo, sequence: Int64, now: Int64) -> QueueEntry {
        QueueEntry(
            identifier: transaction.transactionIdentifier, sequence: sequence, request: nil,
            payment: AgentPayment(transaction), date: now, phase: .added, question: 0)
    }

    /// What remains of a transaction that the app has finished after it had
    /// left the journal: enough to tell the store, and never to show it again.
    static func finished(_ delivered: AgentTransaction.Delivered, sequence: Int64, now: Int64) -> QueueEntry {
        let number = delivered.transactionIdentifier
        let transaction = TransactionInfo(
            transactionIdentifier: number, originalTransactionIdentifier: number,
            productIdentifier: delivered.productIdentifier, quantity: 1, purchaseDate: now, originalPurchaseDate: now)
        var entry = unasked(transaction, sequence: sequence, now: now)
        entry.transaction = transaction
        entry.phase = .finished
        return entry
    }

    /// Whether the store is asked what became of it.
    var isOpen: Bool {
        switch phase {
        case .added, .sending, .waiting, .deferred: request != nil
        case .arrived, .ready, .away, .returning, .failed, .finished, .confirmed: false
        }
    }
}

extension AgentPayment {
    /// What must have been asked for when this was bought.
    init(_ transaction: TransactionInfo) {
        self.init(
            productIdentifier: transaction.productIdentifier, quantity: transaction.quantity,
            applicationUsername: transaction.applicationUsername)
    }
}

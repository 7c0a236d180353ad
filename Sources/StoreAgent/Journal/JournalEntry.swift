// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore

/// A payment or transaction of this device, from the app's request until the
/// store has confirmed the finish.
///
/// It is a state machine without side effects: ``handle(_:now:)`` takes an
/// input and decides the next phase. All work follows from the saved phases:
/// the updates for observers, the requests to the store, and the receipts to
/// fetch.
struct JournalEntry: Sendable, Hashable {
    /// The phase of an entry. The raw values are stored in the journal.
    enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Saved; nothing was sent yet.
        case added
        /// The request may have reached the store.
        case sending
        /// The store has received the request and hasn't decided.
        case waiting
        /// The store waits for another person's approval.
        case deferred
        /// Purchased or restored, but a required receipt isn't there yet.
        case arrived
        /// Purchased or restored: the receipt on disk contains the
        /// transaction, and its own receipt was fetched if the store has one.
        case ready
        /// Was ready, but its account isn't signed in any more. The app can
        /// still finish it, and sees it again when its account signs in.
        case away
        /// Was away, and is in the store's queue again; the receipt on disk
        /// isn't of its account yet. Or was ready, and the receipt on disk
        /// doesn't list it any more; the events that show why aren't here
        /// yet. Because it was delivered as purchased, it isn't shown as
        /// purchasing now.
        case returning
        /// Failed: nothing was charged.
        case failed
        /// Finished by the app; the store hasn't confirmed that.
        case finished
        /// Finished, and confirmed by the store. Kept so that it isn't
        /// delivered again.
        case confirmed
        /// Left the queue. The journal deletes the entry instead of saving
        /// this phase.
        case removed
    }

    /// The agent's identifier: the request identifier of a payment made here,
    /// or else the transaction identifier.
    let identifier: String
    /// Later entries have greater numbers.
    let sequence: Int64
    /// The request identifier of a payment that was made here.
    let request: String?
    var payment: AgentPayment
    /// Milliseconds since 1970 of the payment or, later, of the decision.
    var date: Int64
    var phase: Phase
    /// The process that requested it, which is first to deliver it.
    var adder: String?
    /// The process that delivers it.
    var holder: String?
    /// The identifier of the restore that brought it.
    var restore: String?
    var transaction: TransactionInfo?
    /// The position that a receipt must have reached to contain it.
    var position: EventPosition?
    /// The number of the last snapshot request when this arrived or was
    /// confirmed. Answers up to that number may be older than this state.
    var question: Int64
    var failure: PurchaseFailure?
    /// The address of the last sheet that the store has sent.
    var sheet: String?
    /// Whether the app has cancelled it; the store may have decided already.
    var isWithdrawn = false
    /// The number of the newest receipt that lists the transaction or the one
    /// that it restores. Receipts that are older than the journal's events
    /// aren't compared.
    var listed: Int64?
}

extension JournalEntry {
    /// An event that changes an entry.
    enum Input: Sendable, Hashable {
        /// The payment is about to be sent. `mayFailAtOnce` is true when the
        /// sending process was running when the payment was added; a first
        /// attempt that doesn't leave the device then fails the payment.
        case send(mayFailAtOnce: Bool)
        case answered(PaymentCall.Answer, question: Int64)
        case refused(StoreFailure)
        case unreachable(ConnectionFailure.Reach, PurchaseFailure, mayFailAtOnce: Bool)
        /// It can't be sent or shown, for a reason on this device.
        case impossible(PurchaseFailure)
        case notPresented(sheet: String, PurchaseFailure)
        /// A transaction arrived; a `nil` position means that it needs no
        /// receipt.
        case arrived(TransactionInfo, EventPosition?, question: Int64)
        /// The receipts are there up to this position. With another account's
        /// position: that account's receipt is about to replace the one on
        /// disk.
        case receipt(EventPosition)
        /// The receipt that is about to replace the one on disk doesn't list
        /// it, and is newer than the journal's events.
        case unlisted
        /// The app has finished it. A delivered transaction can be finished
        /// even while it waits for a new receipt. Refused before a decision.
        case finish(isDelivered: Bool)
        case confirmed(question: Int64)
        /// The app cancels it because the storefront has changed.
        case withdraw
        /// A snapshot of the queue, of the account that is signed in, doesn't
        /// contain it.
        case omitted(account: String?, question: Int64)
        /// It was finished on another device or refunded.
        case removed
    }

    /// The synchronizer's next step for a payment.
    enum Next: Sendable, Hashable {
        case ask(mayFailAtOnce: Bool)
        /// Send the request again after a pause.
        case retry
        case present(sheet: String)
        case nothing
    }

    /// An entry for a payment that the app has just made.
    static func payment(
        _ payment: AgentPayment, request: String, sequence: Int64, adder: String, now: Int64
    ) -> JournalEntry {
        JournalEntry(
            identifier: request, sequence: sequence, request: request, payment: payment, date: now, phase: .added,
            adder: adder, question: 0)
    }

    /// An entry for a transaction without an open payment. It has no
    /// transaction until it handles the arrival.
    static func unasked(_ transaction: TransactionInfo, sequence: Int64, now: Int64) -> JournalEntry {
        JournalEntry(
            identifier: transaction.transactionIdentifier, sequence: sequence, request: nil,
            payment: AgentPayment(transaction), date: now, phase: .added, question: 0)
    }

    /// A finished entry for a delivered transaction that isn't in the journal
    /// any more. It has enough to confirm the finish to the store and to
    /// prevent a second delivery.
    static func finished(_ delivered: AgentTransaction.Delivered, sequence: Int64, now: Int64) -> JournalEntry {
        let number = delivered.transactionIdentifier
        let transaction = TransactionInfo(
            transactionIdentifier: number, originalTransactionIdentifier: number,
            productIdentifier: delivered.productIdentifier, quantity: 1, purchaseDate: now, originalPurchaseDate: now)
        var entry = unasked(transaction, sequence: sequence, now: now)
        entry.transaction = transaction
        entry.phase = .finished
        return entry
    }

    /// Whether the store's decision is awaited.
    var isOpen: Bool {
        switch phase {
        case .added, .sending, .waiting, .deferred: request != nil
        case .arrived, .ready, .away, .returning, .failed, .finished, .confirmed, .removed: false
        }
    }

    /// Whether an app receipt with these transactions lists its own, or the
    /// one that it restores.
    func isListed(in transactions: Set<String>) -> Bool {
        guard let transaction else { return false }
        return transactions.contains(transaction.transactionIdentifier)
            || transaction.restores.map { transactions.contains($0.transactionIdentifier) } ?? false
    }

    /// The position that the receipt on disk has to reach before the entry is
    /// ready; `nil` in a phase that doesn't wait for a receipt.
    var awaitedReceipt: EventPosition? {
        phase == .arrived || phase == .returning ? position : nil
    }
}

extension AgentPayment {
    /// The payment that would have resulted in a transaction.
    init(_ transaction: TransactionInfo) {
        self.init(
            productIdentifier: transaction.productIdentifier, quantity: transaction.quantity,
            applicationUsername: transaction.applicationUsername)
    }
}

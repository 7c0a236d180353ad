// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore

extension JournalEntry {
    /// Applies an input, and returns the synchronizer's next step when the
    /// entry is a payment that it is sending.
    ///
    /// An answer and an event report the same purchase, so inputs can arrive
    /// late, twice or in another order. Such inputs don't change an entry
    /// that is decided already.
    ///
    /// - Throws: ``AgentError`` with the code `notFinishable`; the entry is
    ///   unchanged then.
    @discardableResult
    mutating func handle(_ input: Input, now: Int64) throws(AgentError) -> Next {
        switch input {
        case .send(let mayFailAtOnce): return send(mayFailAtOnce)
        case .answered(let answer, let question): return answered(answer, question, now: now)
        case .refused(let failure): return refused(failure, now: now)
        case .unreachable(let reach, let failure, let mayFailAtOnce):
            return unreachable(reach, failure, mayFailAtOnce, now: now)
        case .impossible(let failure): if isOpen { fail(failure, now: now) }
        case .notPresented(let sheet, let failure):
            if phase == .waiting, sheet == self.sheet { fail(failure, now: now) }
        case .arrived(let transaction, let position, let question): arrived(transaction, position, question)
        case .receipt(let position): received(position)
        case .unlisted: unlisted()
        case .finish(let isDelivered): try finish(isDelivered)
        case .confirmed(let question): confirmed(question)
        case .withdraw: withdraw(now: now)
        case .omitted(let account, let question): omitted(account, question)
        case .removed: removed()
        }
        return .nothing
    }

    private mutating func send(_ mayFailAtOnce: Bool) -> Next {
        guard isOpen else { return .nothing }
        guard phase == .added else { return .ask(mayFailAtOnce: false) }
        phase = .sending
        return .ask(mayFailAtOnce: mayFailAtOnce)
    }

    private mutating func answered(_ answer: PaymentCall.Answer, _ question: Int64, now: Int64) -> Next {
        guard isOpen else { return .nothing }
        // The store answered before it received the withdrawal.
        if isWithdrawn, answer.status == .authorise || answer.status == .deferred { return .retry }
        switch answer.status {
        case .authorise:
            phase = .waiting
            sheet = answer.sheet
            if let sheet { return .present(sheet: sheet) }
        case .deferred:
            phase = .deferred
        case .purchased:
            if let transaction = answer.transaction {
                arrived(transaction, answer.position, question)
            } else {
                // Purchased, and no longer in the store's queue: finished on
                // another device, or refunded. If it were still there, an
                // event would bring it.
                phase = .removed
            }
        case .failed:
            fail(answer.failure?.printable ?? PurchaseFailure(.unknown, "The payment failed."), now: now)
        default:
            phase = .waiting
        }
        return .nothing
    }

    private mutating func refused(_ failure: StoreFailure, now: Int64) -> Next {
        guard isOpen else { return .nothing }
        guard !failure.isTemporary else { return .retry }
        fail(PurchaseFailure(refused: failure), now: now)
        return .nothing
    }

    private mutating func unreachable(
        _ reach: ConnectionFailure.Reach, _ failure: PurchaseFailure, _ mayFailAtOnce: Bool, now: Int64
    ) -> Next {
        guard isOpen else { return .nothing }
        guard reach == .notSent, mayFailAtOnce else { return .retry }
        fail(failure, now: now)
        return .nothing
    }

    private mutating func fail(_ failure: PurchaseFailure, now: Int64) {
        phase = .failed
        self.failure = failure
        date = now
    }

    private mutating func arrived(_ transaction: TransactionInfo, _ position: EventPosition?, _ question: Int64) {
        switch phase {
        case .added, .sending, .waiting, .deferred, .away:
            self.transaction = transaction
            self.position = position
            self.question = question
            date = transaction.purchaseDate
            guard position != nil else { return phase = .ready }
            phase = phase == .away ? .returning : .arrived
        case .arrived, .returning:
            // After a store was restored from a backup the transaction may
            // have a lower number, so that an older receipt contains it.
            guard let position, let own = self.position, position.account == own.account,
                position.number < own.number
            else { return }
            self.position = position
        case .confirmed:
            // A store that sends a finished transaction again has lost the
            // finish: it was restored from a backup.
            if question > self.question { phase = .finished }
        case .ready, .failed, .finished, .removed:
            break
        }
    }

    private mutating func received(_ receipt: EventPosition) {
        guard let position else { return }
        if position.account != receipt.account {
            if phase == .ready { leave() }
        } else if awaitedReceipt != nil || phase == .away, position.number <= receipt.number {
            phase = .ready
        }
    }

    private mutating func unlisted() {
        guard phase == .ready, position != nil else { return }
        phase = .returning
        listed = nil
    }

    /// Handles that its account isn't signed in any more.
    ///
    /// A restored transaction leaves the queue. A purchase stays until its
    /// account signs in again, because the app may be delivering it.
    private mutating func leave() {
        phase = transaction?.restores == nil ? .away : .removed
    }

    private mutating func finish(_ isDelivered: Bool) throws(AgentError) {
        switch phase {
        case .arrived where isDelivered, .ready, .away, .returning:
            phase = .finished
        case .failed:
            phase = .removed
        case .finished, .confirmed, .removed:
            break
        case .added, .sending, .waiting, .deferred, .arrived:
            let state = phase == .deferred ? "deferred" : "purchasing"
            throw AgentError(
                .notFinishable,
                """
                The transaction of \(payment.productIdentifier) is \(state): only a transaction that is \
                purchased, failed or restored can be finished.
                """)
        }
    }

    private mutating func confirmed(_ question: Int64) {
        guard phase == .finished else { return }
        phase = .confirmed
        self.question = question
    }

    private mutating func withdraw(now: Int64) {
        guard isOpen, !isWithdrawn else { return }
        isWithdrawn = true
        guard phase != .added else {
            return fail(
                PurchaseFailure(
                    .storeProductNotAvailable, "The app didn't go on with the payment in another storefront."),
                now: now)
        }
        phase = .sending
    }

    private mutating func omitted(_ account: String?, _ question: Int64) {
        guard question > self.question else { return }
        let isOfAnotherAccount = position != nil && position?.account != account
        switch phase {
        case .arrived, .ready, .away, .returning:
            let isRestored = transaction?.restores != nil
            guard isOfAnotherAccount != isRestored else { return phase = .removed }
            if isOfAnotherAccount, phase == .ready || phase == .returning { leave() }
        case .confirmed:
            phase = .removed
        case .added, .sending, .waiting, .deferred, .failed, .finished, .removed:
            break
        }
    }

    private mutating func removed() {
        switch phase {
        case .arrived, .ready, .away, .returning: phase = .removed
        case .confirmed, .finished, .added, .sending, .waiting, .deferred, .failed, .removed: break
        }
    }
}

extension StoreFailure {
    /// Whether the same message may succeed later.
    var isTemporary: Bool {
        let codes: Set<Code> = [.unavailable, .throttled, .internalError, .unreadableAnswer, .unknownDevice]
        return codes.contains(code)
    }
}

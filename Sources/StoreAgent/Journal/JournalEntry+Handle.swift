// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore

extension JournalEntry {
    /// Applies an input and returns its effects.
    ///
    /// An answer and an event report the same purchase, so inputs can arrive
    /// late, twice or in another order. Such inputs don't change an entry
    /// that is decided already.
    mutating func handle(_ input: Input, now: Int64) -> [Effect] {
        switch input {
        case .send(let mayFailAtOnce): send(mayFailAtOnce)
        case .answered(let answer, let question): answered(answer, question, now: now)
        case .refused(let failure): refused(failure, now: now)
        case .unreachable(let reach, let failure, let mayFailAtOnce):
            isOpen ? (reach == .notSent && mayFailAtOnce ? fail(failure, now: now) : [.retry]) : []
        case .impossible(let failure): isOpen ? fail(failure, now: now) : []
        case .notPresented(let sheet, let failure):
            phase == .waiting && sheet == self.sheet ? fail(failure, now: now) : []
        case .arrived(let transaction, let position, let question): arrived(transaction, position, question)
        case .receipt(let position): received(position)
        case .finish(let isDelivered): finish(isDelivered)
        case .confirmed(let question): confirmed(question)
        case .withdraw: withdraw(now: now)
        case .omitted(let account, let question): omitted(account, question)
        case .removed: removed()
        }
    }

    private mutating func send(_ mayFailAtOnce: Bool) -> [Effect] {
        guard isOpen else { return [] }
        guard phase == .added else { return [.ask(mayFailAtOnce: false)] }
        phase = .sending
        return [.ask(mayFailAtOnce: mayFailAtOnce)]
    }

    private mutating func answered(_ answer: PaymentCall.Answer, _ question: Int64, now: Int64) -> [Effect] {
        guard isOpen else { return [] }
        // The store answered before it received the withdrawal.
        if isWithdrawn, answer.status == .authorise || answer.status == .deferred { return [.retry] }
        switch answer.status {
        case .authorise:
            phase = .waiting
            sheet = answer.sheet
            return answer.sheet.map { [.present(sheet: $0)] } ?? []
        case .deferred:
            guard phase != .deferred else { return [] }
            phase = .deferred
            return [.tellObservers]
        case .purchased:
            // Purchased, and no longer in the store's queue: finished on
            // another device, or refunded. If it were still there, an event
            // would bring it.
            guard let transaction = answer.transaction else { return [.forget, .tellObservers] }
            return arrived(transaction, answer.position, question)
        case .failed:
            let failure = answer.failure?.printable
            return fail(failure ?? PurchaseFailure(.unknown, "The payment failed."), now: now)
        default:
            return wait()
        }
    }

    private mutating func wait() -> [Effect] {
        phase = .waiting
        return []
    }

    private mutating func refused(_ failure: StoreFailure, now: Int64) -> [Effect] {
        guard isOpen else { return [] }
        return failure.isTemporary ? [.retry] : fail(PurchaseFailure(refused: failure), now: now)
    }

    private mutating func fail(_ failure: PurchaseFailure, now: Int64) -> [Effect] {
        phase = .failed
        self.failure = failure
        date = now
        return [.tellObservers]
    }

    private mutating func arrived(
        _ transaction: TransactionInfo, _ position: EventPosition?, _ question: Int64
    ) -> [Effect] {
        switch phase {
        case .added, .sending, .waiting, .deferred, .away:
            self.transaction = transaction
            self.position = position
            self.question = question
            date = transaction.purchaseDate
            guard position != nil else {
                phase = .ready
                return [.tellObservers]
            }
            phase = phase == .away ? .returning : .arrived
            return [.fetchReceipt]
        case .arrived, .returning:
            // After a store was restored from a backup the transaction may
            // have a lower number, so that an older receipt contains it.
            guard let position, let own = self.position, position.account == own.account,
                position.number < own.number
            else { return [] }
            self.position = position
            return [.fetchReceipt]
        case .ready:
            return []
        case .confirmed:
            // A store that sends a finished transaction again has lost the
            // finish: it was restored from a backup.
            guard question > self.question else { return [] }
            phase = .finished
            return [.tellStore]
        case .failed, .finished:
            return []
        }
    }

    private mutating func received(_ position: EventPosition) -> [Effect] {
        guard let own = self.position else { return [] }
        guard own.account == position.account else { return phase == .ready ? leave() : [] }
        guard phase == .arrived || phase == .returning, own.number <= position.number else { return [] }
        phase = .ready
        return [.tellObservers]
    }

    /// Handles that its account isn't signed in any more.
    ///
    /// A restored transaction leaves the queue. A purchase stays until its
    /// account signs in again, because the app may be delivering it.
    private mutating func leave() -> [Effect] {
        guard transaction?.restores == nil else { return [.forget, .tellObservers] }
        phase = .away
        return [.tellObservers]
    }

    private mutating func finish(_ isDelivered: Bool) -> [Effect] {
        switch phase {
        case .arrived where isDelivered, .ready, .away, .returning:
            phase = .finished
            return [.tellObservers, .tellStore]
        case .failed:
            return [.forget, .tellObservers]
        case .finished, .confirmed:
            return []
        case .added, .sending, .waiting, .deferred, .arrived:
            let state = phase == .deferred ? "deferred" : "purchasing"
            return [
                .refuse(
                    AgentError(
                        .notFinishable,
                        """
                        The transaction of \(payment.productIdentifier) is \(state): only a transaction that is \
                        purchased, failed or restored can be finished.
                        """))
            ]
        }
    }

    private mutating func confirmed(_ question: Int64) -> [Effect] {
        guard phase == .finished else { return [] }
        phase = .confirmed
        self.question = question
        return []
    }

    private mutating func withdraw(now: Int64) -> [Effect] {
        guard isOpen, !isWithdrawn else { return [] }
        isWithdrawn = true
        guard phase != .added else {
            let failure = PurchaseFailure(
                .storeProductNotAvailable, "The app didn't go on with the payment in another storefront.")
            return fail(failure, now: now)
        }
        phase = .sending
        return [.ask(mayFailAtOnce: false)]
    }

    private mutating func omitted(_ account: String?, _ question: Int64) -> [Effect] {
        guard question > self.question else { return [] }
        let isOfAnotherAccount = position != nil && position?.account != account
        switch phase {
        case .arrived, .ready, .away, .returning:
            let isRestored = transaction?.restores != nil
            guard isOfAnotherAccount != isRestored else { return [.forget, .tellObservers] }
            return isOfAnotherAccount && (phase == .ready || phase == .returning) ? leave() : []
        case .confirmed:
            return [.forget]
        case .added, .sending, .waiting, .deferred, .failed, .finished:
            return []
        }
    }

    private func removed() -> [Effect] {
        switch phase {
        case .arrived, .ready, .away, .returning: [.forget, .tellObservers]
        case .confirmed, .finished, .added, .sending, .waiting, .deferred, .failed: []
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

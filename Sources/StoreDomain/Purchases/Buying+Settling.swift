// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension Buying {
    /// A payment after an answer of its provider.
    struct Settled: Sendable {
        /// The payment with its status after the answer.
        var payment: Payment
        /// The payment's request; `nil` when the payment has another purpose,
        /// or the request doesn't exist any more.
        var request: DeviceRequest?
        /// The decision that was carried out.
        var decision: PaymentDecision
        /// Why the provider declined the payment, in its last answer.
        var reason: String?
        /// Why the amount isn't captured or released yet.
        var delay: (any Error)?

        /// The state of the request; `nil` without one.
        var progress: Progress? { request.map { Progress(request: $0, delay: delay) } }
    }

    /// Carries out the decision about a provider's answer, in the transaction
    /// that locks the payment's account.
    ///
    /// `known` is the payment as it was read before the transaction. Its
    /// status is read again only when it has changed since.
    ///
    /// - Throws: ``DomainError`` `notFound` when the purchase can't be made,
    ///   because its request or its product doesn't exist any more.
    static func settle(
        _ known: Payment, by answer: Authorisation, identifier: TransactionIdentifier, _ db: StoreTransaction
    ) throws -> Settled {
        if let settled = try carryOut(.settling(known.status, by: answer), known, identifier, db) { return settled }
        guard let payment = try known.current(db) else { throw removed }
        let decision = PaymentDecision.settling(payment.status, by: answer)
        return try carryOut(decision, payment, identifier, db) ?? unchanged(payment, db)
    }

    /// The error for a payment whose row a reset has deleted.
    private static let removed = DomainError(
        .notFound, "The store was emptied meanwhile, and the payment with it. Nothing was charged.")

    /// Carries out a decision; `nil` when the payment has another status than
    /// the decision was made for.
    private static func carryOut(
        _ decision: PaymentDecision, _ payment: Payment, _ identifier: TransactionIdentifier, _ db: StoreTransaction
    ) throws -> Settled? {
        var settled = Settled(payment: payment, request: nil, decision: decision)
        switch decision {
        case .commit:
            if case .renewal(let original) = payment.purpose {
                guard let status = try renew(original, paidBy: payment, as: identifier, db) else { return nil }
                settled.payment.status = status
                if status == .voiding { settled.decision = .release }
            } else {
                guard let request = try commit(payment, identifier: identifier, db) else { return nil }
                settled.request = request
                settled.payment.status = .committed
            }
        case .decline(let reason): return try decline(payment, because: reason, settled, db)
        case .wait(let pending):
            guard try payment.wait(for: pending, db) else { return nil }
            settled.payment.status = .pending
            settled.payment.pending = pending
            try waitForRenewal(payment, db)
            settled.request = try payment.request(db)
        case .release:
            guard try payment.move(from: payment.status, to: .voiding, db) else { return nil }
            settled.payment.status = .voiding
            settled.request = try payment.request(db)
        case .contradict, .nothing:
            guard try payment.current(db)?.status == payment.status else { return nil }
            return try unchanged(payment, decision: decision, db)
        }
        return settled
    }

    /// Ends a payment that was declined, and opens its request again; `nil`
    /// when the payment has another status.
    private static func decline(
        _ payment: Payment, because reason: String, _ settled: Settled, _ db: StoreTransaction
    ) throws -> Settled? {
        var settled = settled
        // An amount that was set aside may be so still: the event may report
        // an earlier try.
        let status: Payment.Status = payment.status == .authorised ? .voiding : .declined
        guard try payment.move(from: payment.status, to: status, db) else { return nil }
        settled.payment.status = status
        try failRenewal(payment, db)
        settled.request = try reopen(payment, because: reason, db)
        let product = try settled.request.flatMap {
            try Catalogue.product($0.productIdentifier ?? "", of: $0.bundleIdentifier, db)
        }
        db.tally.note(.decline, of: product?.kind)
        return settled
    }

    /// The state of a payment that an answer doesn't change.
    private static func unchanged(
        _ payment: Payment, decision: PaymentDecision = .nothing, _ db: StoreTransaction
    ) throws -> Settled {
        Settled(payment: payment, request: try payment.request(db), decision: decision)
    }

    /// Ends a payment that can't become a purchase, and fails its request.
    /// The provider releases the amount afterwards, so that a purchase that
    /// another process has made meanwhile keeps its money.
    ///
    /// - Throws: ``DomainError`` `notFound` for a payment that a reset has
    ///   deleted.
    static func void(_ payment: Payment, because error: DomainError, _ db: StoreTransaction) throws -> Settled {
        guard try payment.move(from: .reserved, or: .pending, to: .voiding, db) else {
            guard let current = try payment.current(db) else { throw removed }
            return try unchanged(current, db)
        }
        var settled = Settled(payment: payment, request: nil, decision: .release)
        settled.payment.status = .voiding
        try failRenewal(payment, db)
        guard var request = try payment.request(db) else { return settled }
        try Reservation.release(request, payment, db)
        try Subscription.endPayment(payment, of: request, db)
        try request.releaseCode(db)
        request.fail(PurchaseFailure(.unknown, "\(error.message) Nothing was charged."))
        try request.update(db)
        try DeviceNews.append(request, db)
        if let sheet = try Sheet.find(for: request, db) {
            _ = try sheet.move(from: .processing, to: .cancelled, db)
        }
        settled.request = request
        return settled
    }

    /// Ends a pending payment that wasn't confirmed in time. The provider
    /// ends it afterwards.
    static func expire(_ payment: Payment, _ db: StoreTransaction) throws -> Settled {
        guard try payment.move(from: .pending, to: .voiding, db) else {
            return try unchanged(try payment.current(db) ?? payment, db)
        }
        var settled = Settled(payment: payment, request: nil, decision: .release)
        settled.payment.status = .voiding
        try failRenewal(payment, db)
        settled.request = try reopen(payment, because: PurchaseFailure.unconfirmed, db)
        return settled
    }

    /// Releases the right to buy after a payment wasn't made. The sheet is
    /// open for another try; a deferred or interrupted request waits again.
    /// A payment that was pending until its sheet's time was over fails, and so
    /// does one of an account that has left the family of its approval.
    private static func reopen(
        _ payment: Payment, because reason: String, _ db: StoreTransaction
    ) throws -> DeviceRequest? {
        guard var request = try payment.request(db) else { return nil }
        try Reservation.release(request, payment, db)
        try Subscription.endPayment(payment, of: request, db)
        request.status = request.statusBeforePayment
        if request.status == .failed, let failure = request.failure { request.fail(failure) }
        // A request that waits again keeps its code for the next try.
        if request.status == .open || request.status == .failed { try request.releaseCode(db) }
        if request.status == .open, let sheet = try Sheet.find(for: request, db) {
            if payment.status == .pending, db.now >= sheet.closing {
                request.fail(.declined(reason))
                try sheet.endPayment(.declined, because: reason, db)
            } else {
                try sheet.endPayment(.open, because: reason, db)
            }
        }
        try request.update(db)
        try DeviceNews.append(request, db)
        return request
    }
}

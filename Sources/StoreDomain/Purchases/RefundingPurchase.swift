// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Gives back the money of a purchase or a part of it, and revokes a purchase
/// of whose price nothing is left. ``RefundDecision`` has the rules.
package struct RefundingPurchase: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A refunded purchase.
    package struct Refunded: Sendable {
        /// The purchase whose price is given back; revoked if nothing of the
        /// price is left.
        package var purchase: Purchase
        /// Why the money isn't given back yet; ``RecoveringPayments`` gives
        /// it back later.
        package var failure: (any Error)?
    }

    /// The purchase and the payment of a refund, before its transaction.
    private struct Found: Sendable {
        var purchase: Purchase
        /// The payment that the refund gives back; `nil` when there is none,
        /// or nothing is to be given back.
        var payment: Payment?
    }

    /// The result of a refund's transaction.
    private struct Saved: Sendable {
        var purchase: Purchase
        /// `nil` when no money is due.
        var due: PaymentRefund.Ordered?
    }

    /// Refunds the rest of a purchase's price, or a part of it in thousandths. Repeating an entire refund changes nothing; repeating a
    /// part gives back another one.
    ///
    /// - Throws: ``DomainError``: `notFound`, also when the provider has no
    ///   record of the payment; `refundTooLarge` for more than is left;
    ///   `invalid` for an amount that isn't above zero. Nothing is changed
    ///   then.
    package func callAsFunction(
        _ transaction: TransactionIdentifier, amount: Int64? = nil
    ) async throws -> Refunded {
        let found = try await read { db in try Self.find(transaction, amount, db) }
        if let payment = found.payment { try await requireRecord(of: payment) }
        let identifier = RefundIdentifier(random.hexadecimal(bytes: 16))
        faults("refund:before")
        let account = found.purchase.account
        let saved = try await write(for: account) { db in
            try Self.refund(transaction, of: account, amount, as: identifier, db)
        }
        faults("refund:after")
        do {
            if let due = saved.due {
                try await leased(.refund(due.refund.identifier)) { try await Self.giveBack(due, context) }
            }
            return Refunded(purchase: saved.purchase)
        } catch {
            // The refund is saved: the money is due even if this attempt
            // failed.
            return Refunded(purchase: saved.purchase, failure: error)
        }
    }

    private static func find(
        _ transaction: TransactionIdentifier, _ amount: Int64?, _ db: StoreTransaction
    ) throws -> Found {
        guard let named = try Purchase.find(transaction, db) else {
            throw DomainError(.notFound, "There is no purchase with the number \(transaction).")
        }
        let (decision, payment) = try decide(named, amount, db)
        guard case .refund(let refund) = decision, refund.amount.milliunits > 0 else { return Found(purchase: named) }
        return Found(purchase: named, payment: payment)
    }

    private static func decide(
        _ named: Purchase, _ amount: Int64?, _ db: StoreTransaction
    ) throws -> (RefundDecision, Payment?) {
        let chain = try Purchase.all(of: named.originalTransactionIdentifier, by: named.account, db)
        let charged = try RefundDecision.charged(for: named.transactionIdentifier, in: chain)
        let payment = try Payment.of(charged, db)
        let left = payment?.left ?? Money(milliunits: 0, currency: charged.price.currency)
        return (try RefundDecision.refunding(charged, in: chain, wanted: amount, left: left), payment)
    }

    /// Refuses a refund that the provider could never carry out. The provider
    /// needn't answer now: the money is given back later then.
    private func requireRecord(of payment: Payment) async throws {
        let record: Authorisation?
        do { record = try await context.provider.lookUp(payment.number) } catch { return }
        guard record == nil else { return }
        throw DomainError(
            .notFound, "The payment provider has no record of the payment \(payment.number) any more.")
    }

    /// Gives back the money of a refund that is due. Repeating the call
    /// changes nothing.
    static func giveBack(_ due: PaymentRefund.Ordered, _ context: StoreContext) async throws {
        context.faults("giveback:before")
        let refund = due.refund
        try await context.provider.refund(refund.identifier, of: refund.payment, amount: refund.amount)
        context.faults("giveback:saving")
        try await context.write(for: due.payment.account, isUrgent: true) { db in
            try refund.becomeDone(of: due.payment, db)
        }
        context.faults("giveback:after")
    }

    /// Decides about a refund on the state under the account's lock, and saves
    /// it.
    private static func refund(
        _ transaction: TransactionIdentifier, of account: AccountIdentifier, _ amount: Int64?,
        as identifier: RefundIdentifier, _ db: StoreTransaction
    ) throws -> Saved {
        guard let named = try Purchase.find(transaction, of: account, db) else {
            throw DomainError(.notFound, "There is no purchase with the number \(transaction).")
        }
        // The closure runs again after a commit whose answer was lost.
        if let saved = try PaymentRefund.find(identifier, of: account, db) {
            let chain = try Purchase.all(of: named.originalTransactionIdentifier, by: account, db)
            return Saved(purchase: try RefundDecision.charged(for: transaction, in: chain), due: saved)
        }
        let (decision, payment) = try decide(named, amount, db)
        switch decision {
        case .alreadyRefunded(let purchase): return Saved(purchase: purchase)
        case .refund(let refund): return try save(refund, of: payment, as: identifier, db)
        }
    }

    /// Saves a refund in one transaction: the money that is due, ledger, and,
    /// if nothing of the price is left, the revocation.
    private static func save(
        _ refund: RefundDecision.Refund, of payment: Payment?, as identifier: RefundIdentifier,
        _ db: StoreTransaction
    ) throws -> Saved {
        var charged = refund.charged
        if !refund.revoked.isEmpty { charged.revoked = try revoke(refund, db) }
        try LedgerEntry(
            refund, paidBy: payment, identifier: identifier.rawValue, at: charged.revoked ?? Account.time(at: db.now)
        ).insert(of: charged.account, db)
        db.tally.note(.refund, of: charged.kind)
        guard let payment, refund.amount.milliunits > 0 else { return Saved(purchase: charged) }
        guard try payment.addRefund(of: refund.amount.milliunits, db) else {
            throw RefundDecision.tooLarge(charged, left: payment.left)
        }
        let row = PaymentRefund(
            identifier: identifier, payment: payment.number, amount: refund.amount, reason: .requested, status: .due)
        try row.insert(of: payment.account, db)
        _ = try Lease.take(.refund, [identifier.rawValue], db)
        return Saved(purchase: charged, due: PaymentRefund.Ordered(refund: row, payment: payment))
    }

    /// Revokes purchases: events, queues, receipt, and the right to own the
    /// product.
    ///
    /// - Returns: The time of the revocation.
    private static func revoke(_ refund: RefundDecision.Refund, _ db: StoreTransaction) throws -> StoreTime? {
        var time: StoreTime?
        for var purchase in refund.revoked {
            // Each event names its own transaction, so that a device doesn't
            // remove others of the chain.
            let event = try AccountEvent.append(
                .revoked, account: purchase.account, bundleIdentifier: purchase.bundleIdentifier,
                transactionIdentifier: purchase.transactionIdentifier, db)
            purchase.revoked = event.time
            time = event.time
            _ = try UnfinishedTransaction.removeEverywhere(purchase, db)
            try purchase.saveRevocation(db)
            if purchase.kind.leavesTheReceipt {
                try purchase.leaveReceipt(db)
            }
        }
        try Reservation.end(refund.charged, db)
        return time
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Gives back the money of a purchase, and revokes the purchase.
/// ``RefundDecision`` has the rules for chains of purchases.
package struct RefundingPurchase: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A refunded purchase.
    package struct Refunded: Sendable {
        /// The purchase whose price is given back, revoked.
        package var purchase: Purchase
        /// Why the money isn't given back yet; ``RecoveringPayments`` gives
        /// it back later.
        package var failure: (any Error)?
    }

    /// Refunds a purchase. Repeating it changes nothing.
    ///
    /// - Throws: ``DomainError`` `notFound`, also when the provider has no
    ///   record of the payment: the purchase isn't revoked then.
    package func callAsFunction(_ transaction: TransactionIdentifier) async throws -> Refunded {
        let found = try await read { db in
            try Purchase.find(transaction, db).map { ($0, try Self.paymentToRefund($0, db)) }
        }
        guard let (found, due) = found else {
            throw DomainError(.notFound, "There is no purchase with the number \(transaction).")
        }
        if let due { try await requireRecord(of: due) }
        let entry = random.hexadecimal(bytes: 16)
        faults("refund:before")
        let (purchase, payment) = try await write(for: found.account) { db in
            let chain = try Purchase.all(of: found.originalTransactionIdentifier, db)
            switch try RefundDecision.refunding(transaction, in: chain) {
            case .alreadyRefunded(let purchase): return (purchase, nil as Payment?)
            case .refund(let refund): return try Self.save(refund, entry: entry, db)
            }
        }
        faults("refund:after")
        do {
            if let payment {
                try await leased(.payment(payment.number)) { try await Self.giveBack(payment, context) }
            }
            return Refunded(purchase: purchase)
        } catch {
            // The purchase is revoked: the money is due even if this attempt
            // failed.
            return Refunded(purchase: purchase, failure: error)
        }
    }

    /// The payment that a refund of the purchase would give back; `nil` when
    /// there is none, or it is given back already.
    private static func paymentToRefund(_ purchase: Purchase, _ db: StoreTransaction) throws -> Payment? {
        let chain = try Purchase.all(of: purchase.originalTransactionIdentifier, db)
        switch try RefundDecision.refunding(purchase.transactionIdentifier, in: chain) {
        case .alreadyRefunded: return nil
        case .refund(let refund): return try Payment.of(refund.charged, db)
        }
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

    /// Gives back the money of a payment that has the status `refunding`.
    static func giveBack(_ payment: Payment, _ context: StoreContext) async throws {
        try await context.provider.refund(payment.number)
        try await context.write(for: payment.account, isUrgent: true) { db in
            _ = try payment.move(from: .refunding, to: .refunded, db)
        }
    }

    /// Saves a refund in one transaction: event, queues, receipt, the right to
    /// own the product, ledger, and the money that is due.
    ///
    /// - Returns: The charged purchase, and its payment if money is due.
    private static func save(
        _ refund: RefundDecision.Refund, entry: String, _ db: StoreTransaction
    ) throws -> (Purchase, Payment?) {
        var charged = refund.charged
        for var purchase in refund.revoked {
            // Each event names its own transaction, so that a device doesn't
            // remove others of the chain.
            let event = try AccountEvent.append(
                .revoked, account: purchase.account, bundleIdentifier: purchase.bundleIdentifier,
                transactionIdentifier: purchase.transactionIdentifier, db)
            purchase.revoked = event.time
            charged.revoked = event.time
            _ = try UnfinishedTransaction.removeEverywhere(purchase.transactionIdentifier, db)
            try purchase.saveRevocation(db)
            if purchase.kind.leavesTheReceipt {
                try Purchase.leaveReceipt(purchase.transactionIdentifier, db)
            }
        }
        try Reservation.end(charged, db)
        let payment = try Payment.of(charged, db)
        try LedgerEntry(refunding: charged, paidBy: payment, identifier: entry, at: charged.revoked ?? charged.date)
            .insert(db)
        db.tally.note(.refund, of: charged.kind)
        guard let payment else { return (charged, nil) }
        // The provider also gives back an amount that it hasn't captured yet.
        let isDue = try payment.move(from: .captured, or: .committed, to: .refunding, db)
        if isDue { try payment.take(db) }
        return (charged, isDue ? payment : nil)
    }
}

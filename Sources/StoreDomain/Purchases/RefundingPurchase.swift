// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Gives back the money of a purchase, and revokes the purchase.
///
/// A non-consumable that was bought again for nothing belongs to its first
/// purchase: a refund of any of them gives back the price of the first one
/// and revokes all of them.
package struct RefundingPurchase: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A refunded purchase.
    package struct Refunded: Sendable {
        /// The first purchase, revoked.
        package var purchase: Purchase
        /// Why the money isn't given back yet; ``RecoveringPayments`` gives
        /// it back later.
        package var failure: (any Error)?
    }

    /// Refunds a purchase. Repeating it changes nothing.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func callAsFunction(_ transaction: TransactionIdentifier) async throws -> Refunded {
        let found = try await read { db in try Purchase.find(transaction, db) }
        guard let found else {
            throw DomainError(.notFound, "There is no purchase with the number \(transaction).")
        }
        let entry = random.hexadecimal(bytes: 16)
        faults("refund:before")
        let (purchase, payment) = try await write(for: found.account) { db in
            let chain = try Purchase.all(of: found.originalTransactionIdentifier, db)
            switch try RefundDecision.refunding(found.originalTransactionIdentifier, in: chain) {
            case .alreadyRefunded(let purchase): return (purchase, nil as Payment?)
            case .refund(let refund): return try Self.save(refund, entry: entry, db)
            }
        }
        faults("refund:after")
        do {
            if let payment { try await Self.giveBack(payment, context) }
            return Refunded(purchase: purchase)
        } catch {
            // The purchase is revoked: the money is due even if this attempt
            // failed.
            return Refunded(purchase: purchase, failure: error)
        }
    }

    /// Gives back the money of a payment that has the status `refunding`.
    static func giveBack(_ payment: Payment, _ context: StoreContext) async throws {
        try await context.provider.refund(payment.number)
        try await context.write(for: payment.account) { db in
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
        let event = try AccountEvent.append(
            .revoked, account: charged.account, bundleIdentifier: charged.bundleIdentifier,
            transactionIdentifier: charged.transactionIdentifier, db)
        for purchase in refund.revoked {
            _ = try UnfinishedTransaction.removeEverywhere(purchase.transactionIdentifier, db)
            try Purchase.revoke(purchase.transactionIdentifier, at: event.time, db)
            if purchase.kind.leavesTheReceipt {
                try Purchase.leaveReceipt(purchase.transactionIdentifier, db)
            }
        }
        charged.revoked = event.time
        try Reservation.end(charged, db)
        let payment = try Payment.of(charged, db)
        try LedgerEntry(refunding: charged, paidBy: payment, identifier: entry, at: event.time).insert(db)
        guard let payment else { return (charged, nil) }
        // The provider also gives back an amount that it hasn't captured yet.
        let isDue = try payment.move(from: .captured, or: .committed, to: .refunding, db)
        return (charged, isDue ? payment : nil)
    }
}

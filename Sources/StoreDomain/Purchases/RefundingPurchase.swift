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

    /// The result of a refund.
    package struct Outcome: Sendable {
        /// The first purchase, revoked.
        package var purchase: Purchase
        /// Why the money isn't given back yet; ``RecoveringPayments`` gives
        /// it back later.
        package var failure: (any Error)?
    }

    /// Refunds a purchase. Repeating it changes nothing.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func callAsFunction(_ transaction: String, now: Instant) async throws -> Outcome {
        let found = try await read { db in
            try Purchase.find(transaction, db)
        }
        guard let found else {
            throw DomainError(.notFound, "There is no purchase with the number \(transaction).")
        }
        let entry = random.hexadecimal(bytes: 16)
        faults("refund:before")
        let (purchase, payment) = try await write(for: found.account) { db in
            try Self.revoke(
                found.originalTransactionIdentifier, entry: entry, now: now, db)
        }
        faults("refund:after")
        do {
            if let payment { try await Self.giveBack(payment, context) }
            return Outcome(purchase: purchase)
        } catch {
            // The purchase is revoked: the money is due even if this attempt
            // failed.
            return Outcome(purchase: purchase, failure: error)
        }
    }

    /// Gives back the money of a payment that has the status `refunding`.
    static func giveBack(_ payment: Payment, _ context: StoreContext) async throws {
        try await context.provider.refund(payment.number)
        try await context.write(for: payment.account) { db in
            _ = try payment.move(from: .refunding, to: .refunded, db)
        }
    }

    /// Revokes a purchase and the later purchases that refer to it, in one
    /// transaction: queues, receipt, the right to own it, ledger, event, and
    /// the refund that is due.
    private static func revoke(
        _ original: String, entry: String, now: Instant, _ db: StoreTransaction
    ) throws -> (Purchase, Payment?) {
        let family = try Purchase.all(of: original, db)
        guard var first = family.first(where: { $0.transactionIdentifier == original }) else {
            throw DomainError(.notFound, "There is no purchase with the number \(original).")
        }
        guard first.revoked == nil else { return (first, nil) }
        for purchase in family {
            _ = try UnfinishedTransaction.removeEverywhere(purchase.transactionIdentifier, db)
            try Purchase.revoke(purchase.transactionIdentifier, at: now, db)
            if purchase.kind.leavesTheReceipt {
                try Purchase.leaveReceipt(purchase.transactionIdentifier, db)
            }
        }
        first.revoked = now
        try Reservation.end(first, db)
        let payment = try Payment.of(first, db)
        try LedgerEntry(
            identifier: entry, kind: .refund, account: first.account, transactionIdentifier: original,
            paymentNumber: payment?.number,
            amount: Money(milliunits: -first.price.milliunits, currency: first.price.currency), at: now
        ).insert(db)
        _ = try AccountEvent.append(
            .revoked, account: first.account, bundleIdentifier: first.bundleIdentifier,
            transactionIdentifier: original, db)
        guard let payment else { return (first, nil) }
        // The provider also gives back an amount that it hasn't captured yet.
        let isDue = try payment.move(from: .captured, or: .committed, to: .refunding, db)
        return (first, isDue ? payment : nil)
    }
}

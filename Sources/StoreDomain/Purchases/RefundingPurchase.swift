// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Gives the money of a purchase back, and takes back what was bought.
///
/// A non-consumable that was bought again for nothing is one thing with the
/// first purchase of it: whichever of them is named, the first one's price is
/// given back and all of them are revoked.
package struct RefundingPurchase: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// What a refund led to.
    package struct Outcome: Sendable {
        /// The first purchase, revoked.
        package var purchase: Purchase
        /// Why the money isn't given back yet; it is due, and
        /// ``RecoveringPayments`` takes it up.
        package var failure: (any Error)?
    }

    /// Refunds a purchase. Repeating it changes nothing.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func callAsFunction(_ transaction: String, now: Instant) async throws -> Outcome {
        let found = try await database.read { [environment] connection in
            try Purchase.find(transaction, environment, connection)
        }
        guard let found else {
            throw DomainError(.notFound, "There is no purchase with the number \(transaction).")
        }
        let entry = random.hexadecimal(bytes: 16)
        faults("refund:before")
        let (purchase, payment) = try await database.write(for: found.account) { [environment] connection in
            try Self.revoke(
                found.originalTransactionIdentifier, entry: entry, now: now, environment, connection)
        }
        faults("refund:after")
        do {
            if let payment { try await Self.giveBack(payment, context) }
            return Outcome(purchase: purchase)
        } catch {
            // It is revoked: whatever happens to the money, it is due.
            return Outcome(purchase: purchase, failure: error)
        }
    }

    /// Gives the money of a payment back that is written down as being
    /// refunded.
    static func giveBack(_ payment: Payment, _ context: StoreContext) async throws {
        try await context.provider.refund(payment.number)
        try await context.database.write(for: payment.account) { connection in
            _ = try payment.move(from: .refunding, to: .refunded, context.environment, connection)
        }
    }

    /// Revokes a purchase and everything that hangs on it, at once: queues,
    /// receipt, the right to own it, ledger, event, and the money that is due.
    private static func revoke(
        _ original: String, entry: String, now: Instant, _ environment: StoreEnvironment,
        _ connection: any Connection
    ) throws -> (Purchase, Payment?) {
        let family = try Purchase.all(of: original, environment, connection)
        guard var first = family.first(where: { $0.transactionIdentifier == original }) else {
            throw DomainError(.notFound, "There is no purchase with the number \(original).")
        }
        guard first.revoked == nil else { return (first, nil) }
        for purchase in family {
            _ = try QueueEntry.removeEverywhere(purchase.transactionIdentifier, environment, connection)
            try Purchase.revoke(purchase.transactionIdentifier, at: now, environment, connection)
            if purchase.kind.leavesTheReceipt {
                try Purchase.leaveReceipt(purchase.transactionIdentifier, environment, connection)
            }
        }
        first.revoked = now
        try Reservation.end(first, environment, connection)
        let payment = try Payment.of(first, environment, connection)
        try LedgerEntry(
            identifier: entry, kind: .refund, account: first.account, transactionIdentifier: original,
            paymentNumber: payment?.number,
            amount: Money(milliunits: -first.price.milliunits, currency: first.price.currency), at: now
        ).insert(environment, connection)
        _ = try AccountEvent.append(
            .revoked, account: first.account, bundleIdentifier: first.bundleIdentifier,
            transactionIdentifier: original, environment, connection)
        guard let payment else { return (first, nil) }
        // The provider gives back an amount that it hasn't captured yet, too.
        let isDue = try payment.move(from: .captured, or: .committed, to: .refunding, environment, connection)
        return (first, isDue ? payment : nil)
    }
}

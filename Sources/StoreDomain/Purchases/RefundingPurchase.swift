// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Gives back the money of a purchase or a part of it, and revokes the
/// purchase. ``RefundDecision`` has the rules.
package struct RefundingPurchase: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A refunded purchase.
    package struct Refunded: Sendable {
        /// The purchase whose price is given back, and which is revoked.
        package var purchase: Purchase
        /// Why the money isn't given back yet; ``RecoveringPayments`` gives
        /// it back later.
        package var failure: (any Error)?
    }

    /// The refund that a caller asks for.
    private struct Order: Sendable {
        var transaction: TransactionIdentifier
        /// The part of the price in thousandths; `nil` for the rest.
        var amount: Int64?
        /// The identifier of the refund and of its ledger entry.
        var identifier: RefundIdentifier
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
        /// The amount of a new refund; `nil` for one that was saved before.
        var amount: Money?
    }

    /// Refunds the rest of a purchase's price, or a part of it in thousandths.
    ///
    /// Repeating a call with its `identifier` changes nothing. Without one,
    /// repeating the refund of the rest changes nothing, and repeating that of
    /// a part gives back another part.
    ///
    /// The transaction of the refund calls `authorise` before it changes
    /// anything, and `note` after it has saved a refund.
    ///
    /// - Throws: ``DomainError``: `notFound`, also when the provider has no
    ///   record of the payment; `refundTooLarge` for more than is left;
    ///   `invalid` for an amount that isn't above zero; `requestMismatch` for
    ///   an identifier that was used for another refund. Nothing is changed
    ///   then. The errors of `authorise`.
    package func callAsFunction(
        _ transaction: TransactionIdentifier, amount: Int64? = nil, identifier: RefundIdentifier? = nil,
        authorise: @escaping @Sendable (StoreTransaction) throws -> Void = { _ in },
        note: @escaping @Sendable (Money, StoreTransaction) throws -> Void = { _, _ in }
    ) async throws -> Refunded {
        let order = Order(
            transaction: transaction, amount: amount,
            identifier: identifier ?? RefundIdentifier(random.hexadecimal(bytes: 16)))
        let found = try await read { db in try Self.find(order, db) }
        if let payment = found.payment { try await requireRecord(of: payment) }
        faults("refund:before")
        let account = found.purchase.account
        let saved = try await write(for: account) { db in
            try authorise(db)
            let saved = try Self.refund(order, of: account, db)
            if let amount = saved.amount { try note(amount, db) }
            return saved
        }
        faults("refund:after")
        do {
            if let due = saved.due {
                try await leased(.refund(due.refund.identifier)) { try await Self.settle(due, context) }
            }
            return Refunded(purchase: saved.purchase)
        } catch {
            // The refund is saved: the money is due even if this attempt
            // failed.
            return Refunded(purchase: saved.purchase, failure: error)
        }
    }

    private static func find(_ order: Order, _ db: StoreTransaction) throws -> Found {
        guard let named = try Purchase.find(order.transaction, db) else { throw unknown(order) }
        guard try repeated(order, of: named, db) == nil else { return Found(purchase: named) }
        let (decision, payment) = try decide(named, order.amount, db)
        guard case .refund(let refund) = decision, refund.amount.milliunits > 0 else { return Found(purchase: named) }
        return Found(purchase: named, payment: payment)
    }

    private static func unknown(_ order: Order) -> DomainError {
        DomainError(.notFound, "There is no purchase with the number \(order.transaction).")
    }

    /// The refund that was saved under the order's identifier before, with the
    /// purchase as it is now; `nil` when there is none. An earlier call has
    /// saved it, or an earlier run of the closure whose commit's answer was
    /// lost.
    ///
    /// - Throws: ``DomainError`` `requestMismatch` for another refund.
    private static func repeated(_ order: Order, of named: Purchase, _ db: StoreTransaction) throws -> Saved? {
        guard let entry = try LedgerEntry.find(order.identifier.rawValue, db) else { return nil }
        let chain = try chain(of: named, db)
        let charged = try RefundDecision.charged(for: named.transactionIdentifier, in: chain)
        let isReversed = try LedgerEntry.hasReversal(of: charged, db)
        guard RefundDecision.isRefund(entry, of: charged, wanted: order.amount, isReversed: isReversed) else {
            throw DomainError(.requestMismatch, "The identifier \(order.identifier) was used for another refund.")
        }
        let saved = try PaymentRefund.find(order.identifier, of: named.account, db)
        return Saved(purchase: charged, due: saved?.refund.status == .due ? saved : nil)
    }

    /// The purchases that a refund of one may concern: itself, or of a product
    /// that is owned once, all of its chain. The periods of a subscription
    /// aren't read.
    static func chain(of named: Purchase, _ db: StoreTransaction) throws -> [Purchase] {
        guard named.kind.isOwnedOnce else { return [named] }
        return try Purchase.all(of: named.originalTransactionIdentifier, by: named.account, db)
    }

    private static func decide(
        _ named: Purchase, _ amount: Int64?, _ db: StoreTransaction
    ) throws -> (RefundDecision, Payment?) {
        let chain = try chain(of: named, db)
        let charged = try RefundDecision.charged(for: named.transactionIdentifier, in: chain)
        let payment = try Payment.of(charged, db)
        let left = payment?.left ?? Money(milliunits: 0, currency: charged.price.currency)
        return (
            try RefundDecision.refunding(
                charged, in: chain, wanted: amount, left: left, paid: payment?.amount.milliunits ?? 0), payment
        )
    }

    /// Refuses a refund that the provider could never carry out. The provider
    /// needn't answer now: the money is given back later then.
    func requireRecord(of payment: Payment) async throws {
        let record: Authorisation?
        do { record = try await context.provider.lookUp(payment.number) } catch { return }
        guard record == nil else { return }
        throw DomainError(
            .notFound, "The payment provider has no record of the payment \(payment.number) any more.")
    }

    /// Lets the provider carry out a refund, or take it back. Repeating the
    /// call changes nothing.
    static func settle(_ ordered: PaymentRefund.Ordered, _ context: StoreContext) async throws {
        guard ordered.refund.status == .reversing else { return try await giveBack(ordered, context) }
        try await ReversingRefund.takeBack(ordered, context)
    }

    /// Gives back the money of a refund that is due. Repeating the call
    /// changes nothing.
    private static func giveBack(_ due: PaymentRefund.Ordered, _ context: StoreContext) async throws {
        context.faults("giveback:before")
        let refund = due.refund
        // Until an earlier refund is taken back at the provider, the amount
        // isn't collected.
        let isReversing = try await context.read(isUrgent: true) { db in
            try PaymentRefund.all(of: due.payment, db).contains { $0.status == .reversing }
        }
        guard !isReversing else {
            throw DomainError(.underWay, "An earlier refund of the payment \(due.payment.number) is being taken back.")
        }
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
        _ order: Order, of account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> Saved {
        guard let named = try Purchase.find(order.transaction, of: account, db) else { throw unknown(order) }
        if let saved = try repeated(order, of: named, db) { return saved }
        let (decision, payment) = try decide(named, order.amount, db)
        switch decision {
        case .alreadyRefunded(let purchase): return Saved(purchase: purchase)
        case .refund(let refund): return try save(refund, of: payment, as: order.identifier, db)
        }
    }

    /// Saves a refund in one transaction: the money that is due, ledger, and the
    /// revocation.
    private static func save(
        _ refund: RefundDecision.Refund, of payment: Payment?, as identifier: RefundIdentifier,
        _ db: StoreTransaction
    ) throws -> Saved {
        var charged = refund.charged
        var time = try AccountClock.of(charged.account, db).time(at: db.now)
        if let revoked = try revoke(refund, by: identifier, db) {
            charged.revoked = charged.revoked ?? revoked
            charged.revokedPart = refund.part
            time = revoked
        }
        try LedgerEntry(refund, paidBy: payment, identifier: identifier.rawValue, at: time).insert(
            of: charged.account, db)
        db.tally.note(.refund, of: charged.kind)
        guard let payment, refund.amount.milliunits > 0 else { return Saved(purchase: charged, amount: refund.amount) }
        guard try refund.amount == payment.left || PaymentRefund.all(of: payment, db).count < PaymentRefund.mostParts
        else {
            throw DomainError(
                .invalid,
                "A payment has at most \(PaymentRefund.mostParts) refunds of a part: refund the rest of the price.")
        }
        guard try payment.addRefund(of: refund.amount.milliunits, db) else {
            throw RefundDecision.tooLarge(charged, left: payment.left)
        }
        let row = PaymentRefund(
            identifier: identifier, payment: payment.number, amount: refund.amount, reason: .requested, status: .due)
        try row.insert(of: payment.account, db)
        _ = try Lease.take(.refund, [identifier.rawValue], db)
        return Saved(
            purchase: charged, due: PaymentRefund.Ordered(refund: row, payment: payment), amount: refund.amount)
    }

    /// Revokes purchases: events, queues, receipt, and the right to own the
    /// product. Of those that were revoked before the refunded part is larger.
    ///
    /// - Returns: The time of the change; `nil` when there is none.
    private static func revoke(
        _ refund: RefundDecision.Refund, by identifier: RefundIdentifier, _ db: StoreTransaction
    ) throws -> StoreTime? {
        var time = try enlarge(refund, by: identifier, db)
        guard !refund.revoked.isEmpty else { return time }
        for var purchase in refund.revoked {
            // Each event names its own transaction, so that a device doesn't
            // remove others of the chain.
            let event = try AccountEvent.append(
                .revoked, account: purchase.account, bundleIdentifier: purchase.bundleIdentifier,
                transactionIdentifier: purchase.transactionIdentifier, db)
            purchase.revoked = event.time
            purchase.revokedPart = refund.part
            time = event.time
            let wasUnfinished = try UnfinishedTransaction.removeEverywhere(purchase, db)
            try purchase.saveRevocation(wasUnfinished: wasUnfinished, db)
            try SharingWork.note(purchase, db)
            if purchase.kind.leavesTheReceipt {
                try purchase.leaveReceipt(db)
            }
            try Subscription.endPeriod(of: purchase, at: event.time, db)
            var cause = NotificationCause(.refund, of: purchase, at: event.time)
            // A refund, its reversal and another refund may be of one moment.
            cause.subject = identifier.rawValue
            cause.details.revokedPart = refund.part
            try cause.insert(db)
        }
        try Reservation.end(refund.charged, db)
        return time
    }

    /// Saves the larger part of purchases that an earlier refund has revoked.
    /// Their dates stay those of the first refund.
    private static func enlarge(
        _ refund: RefundDecision.Refund, by identifier: RefundIdentifier, _ db: StoreTransaction
    ) throws -> StoreTime? {
        var time: StoreTime?
        for var purchase in refund.enlarged {
            // Devices read the signed transaction again. The receipt has no part.
            let event = try AccountEvent.append(
                .receipt, account: purchase.account, bundleIdentifier: purchase.bundleIdentifier,
                transactionIdentifier: purchase.transactionIdentifier, db)
            time = event.time
            purchase.revokedPart = refund.part
            try purchase.saveRevokedPart(db)
            var cause = NotificationCause(.refund, of: purchase, at: event.time)
            cause.details.revoked = purchase.revoked?.milliseconds
            cause.subject = identifier.rawValue
            cause.details.revokedPart = refund.part
            try cause.insert(db)
        }
        return time
    }

    /// Gives back a part of an upgraded purchase's price. ``RecoveringPayments``
    /// calls the provider. The refund's identifier is made from that of the
    /// payment, because a purchase is upgraded once.
    static func prorate(
        _ purchase: Purchase, to amount: Money, at moment: StoreTime, _ db: StoreTransaction
    ) throws {
        guard let part = try proration(of: purchase, to: amount, db),
            try part.payment.addRefund(of: part.amount.milliunits, db)
        else { return }
        let identifier = RefundIdentifier(String(part.payment.number.rawValue.reversed()))
        try LedgerEntry(
            RefundDecision.Refund(charged: purchase, amount: part.amount, revoked: []), paidBy: part.payment,
            identifier: identifier.rawValue, at: moment
        ).insert(of: purchase.account, db)
        try PaymentRefund(
            identifier: identifier, payment: part.payment.number, amount: part.amount, reason: .upgrade, status: .due
        ).insert(of: part.payment.account, db)
        _ = try Lease.take(.refund, [identifier.rawValue], db)
    }

    /// A part of an upgraded purchase's price, with its payment.
    struct Proration {
        var payment: Payment
        var amount: Money
    }

    /// The part of an upgraded purchase's price that can be given back, at
    /// most `amount`; `nil` when there is none.
    static func proration(
        of purchase: Purchase, to amount: Money, _ db: StoreTransaction
    ) throws -> Proration? {
        guard let payment = try Payment.of(purchase, db), amount.currency == payment.amount.currency else { return nil }
        let left = min(amount.milliunits, payment.left.milliunits)
        return left > 0 ? Proration(payment: payment, amount: Money(milliunits: left, currency: amount.currency)) : nil
    }
}

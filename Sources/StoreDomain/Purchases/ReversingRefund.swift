// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Takes back the refund that has revoked a purchase: the customer has the
/// purchase again, and the money is the store's again.
/// ``RefundReversalDecision`` has the rules.
package struct ReversingRefund: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A purchase whose refund is taken back.
    package struct Reversed: Sendable {
        package var purchase: Purchase
        /// Why the provider hasn't collected the money yet;
        /// ``RecoveringPayments`` lets it do so later.
        package var failure: (any Error)?
    }

    /// The reversal that a caller asks for.
    private struct Order: Sendable {
        var transaction: TransactionIdentifier
        /// The identifier of the ledger entry.
        var identifier: RefundIdentifier

        var unknown: DomainError {
            DomainError(.notFound, "There is no purchase with the number \(transaction).")
        }
    }

    /// The state on which a reversal is decided, with the decision.
    private struct Found: Sendable {
        var decision: RefundReversalDecision
        var payment: Payment?
    }

    /// The result of a reversal's transaction.
    private struct Saved: Sendable {
        var purchase: Purchase
        /// The refunds that the provider has to take back.
        var reversing: [PaymentRefund.Ordered] = []
    }

    /// Takes back the refund of a purchase.
    ///
    /// Repeating a call with its `identifier` changes nothing, also after
    /// another refund. Without one, repeating the call changes nothing until
    /// the purchase is refunded again.
    ///
    /// - Throws: ``DomainError``: `notFound`, also when the provider has no
    ///   record of the payment; `requestMismatch` for an identifier that was
    ///   used for another change; `decided` when the account of the purchase or
    ///   of its payer is closed, `declined` when one of them is barred; the
    ///   errors of
    ///   ``RefundReversalDecision/reversing(_:in:refunds:wasReversed:obstacle:)``.
    ///   Nothing is changed then.
    package func callAsFunction(
        _ transaction: TransactionIdentifier, identifier: RefundIdentifier? = nil
    ) async throws -> Reversed {
        let order = Order(
            transaction: transaction, identifier: identifier ?? RefundIdentifier(random.hexadecimal(bytes: 16)))
        let (account, found) = try await read { db in
            guard let named = try Purchase.find(order.transaction, db) else { throw order.unknown }
            let isRepeated = try Self.repeated(order, of: named, db) != nil
            return (named.account, isRepeated ? nil : try Self.decide(named, db))
        }
        if case .reverse(let change)? = found?.decision, change.milliunits > 0, let payment = found?.payment {
            try await RefundingPurchase(context).requireRecord(of: payment)
        }
        faults("reverse:before")
        let saved = try await write(for: account) { db in try Self.reverse(order, of: account, db) }
        faults("reverse:after")
        do {
            for ordered in saved.reversing {
                try await leased(.refund(ordered.refund.identifier)) { try await Self.takeBack(ordered, context) }
            }
            return Reversed(purchase: saved.purchase)
        } catch {
            // The reversal is saved: the money is due even if this attempt
            // failed.
            return Reversed(purchase: saved.purchase, failure: error)
        }
    }

    /// The reversal that was saved under the order's identifier before.
    private static func repeated(_ order: Order, of named: Purchase, _ db: StoreTransaction) throws -> Saved? {
        guard let entry = try LedgerEntry.find(order.identifier.rawValue, db) else { return nil }
        let chain = try RefundingPurchase.chain(of: named, db)
        let charged = try RefundDecision.charged(for: named.transactionIdentifier, in: chain)
        guard entry.kind == .refundReversed, entry.transactionIdentifier == charged.transactionIdentifier else {
            throw DomainError(.requestMismatch, "The identifier \(order.identifier) was used for another change.")
        }
        guard let payment = try Payment.of(charged, db) else { return Saved(purchase: charged) }
        let reversing = try PaymentRefund.all(of: payment, db).filter { $0.status == .reversing }
        return Saved(
            purchase: charged, reversing: reversing.map { PaymentRefund.Ordered(refund: $0, payment: payment) })
    }

    private static func decide(_ named: Purchase, _ db: StoreTransaction) throws -> Found {
        let chain = try RefundingPurchase.chain(of: named, db)
        let charged = try RefundDecision.charged(for: named.transactionIdentifier, in: chain)
        let payment = try Payment.of(charged, db)
        let decision = try RefundReversalDecision.reversing(
            charged, in: chain, refunds: try payment.map { try PaymentRefund.all(of: $0, db) } ?? [],
            wasReversed: try LedgerEntry.hasReversal(of: charged, db),
            obstacle: charged.revoked == nil ? nil : try obstacle(to: charged, db))
        return Found(decision: decision, payment: payment)
    }

    /// The purchase that would be valid beside a reinstated one.
    private static func obstacle(
        to charged: Purchase, _ db: StoreTransaction
    ) throws -> RefundReversalDecision.Obstacle? {
        if charged.completesReservation {
            let reservation = try Reservation.find(
                account: charged.account, charged.bundleIdentifier, charged.productIdentifier, db)
            return reservation.map { $0.transactionIdentifier.map { .boughtAgain($0) } ?? .purchaseUnderWay }
        }
        guard let term = charged.term, !term.isUpgraded,
            let subscription = try Subscription.find(charged.originalTransactionIdentifier, of: charged.account, db)
        else { return nil }
        if subscription.payment != nil { return .purchaseUnderWay }
        let now = try AccountClock.of(charged.account, db).time(at: db.now)
        guard let newest = subscription.newestState?.period.transaction, newest != charged.transactionIdentifier,
            term.expires > now
        else { return nil }
        return .subscribedAgain(newest, refundedUntil: term.expires)
    }

    /// Decides about a reversal on the state under the account's lock, and
    /// saves it.
    private static func reverse(
        _ order: Order, of account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> Saved {
        guard let named = try Purchase.find(order.transaction, of: account, db) else { throw order.unknown }
        if let saved = try repeated(order, of: named, db) { return saved }
        let found = try decide(named, db)
        switch found.decision {
        case .alreadyReversed(let purchase): return Saved(purchase: purchase)
        case .reverse(let change):
            try requirePayer(of: change.charged, found.payment, db)
            return try save(change, of: found.payment, as: order.identifier, db)
        }
    }

    /// Refuses to collect money from an account that is closed or barred, and
    /// for one.
    private static func requirePayer(of charged: Purchase, _ payment: Payment?, _ db: StoreTransaction) throws {
        switch try Payer.find(payment?.payer ?? charged.account, for: charged.account, db) {
        case .pays: return
        case .isBarred:
            throw DomainError(
                .declined,
                """
                The store sells nothing to the account that has \(charged.transactionIdentifier), or has paid for it, \
                any more: nothing can be collected. Nothing was changed.
                """)
        case .hasLeft:
            throw DomainError(
                .decided,
                """
                The account that has \(charged.transactionIdentifier), or has paid for it, is closed: the money \
                can't be collected from any account. Nothing was changed.
                """)
        }
    }

    /// Saves a reversal in one transaction: the customer's right, the ledger
    /// and the money that the provider has to collect.
    private static func save(
        _ change: RefundReversalDecision.Order, of payment: Payment?, as identifier: RefundIdentifier,
        _ db: StoreTransaction
    ) throws -> Saved {
        var charged = change.charged
        charged.revoked = nil
        charged.revokedPart = nil
        let time = try reinstate(change, by: identifier, db)
        if charged.completesReservation {
            try Reservation.restore(
                charged, paidBy: payment?.number ?? PaymentIdentifier(charged.transactionIdentifier.rawValue), db)
        }
        try LedgerEntry(change, paidBy: payment, identifier: identifier.rawValue, at: time).insert(
            of: charged.account, db)
        db.tally.note(.refundReversal, of: charged.kind)
        guard let payment, change.milliunits > 0 else { return Saved(purchase: charged) }
        guard try payment.removeRefund(of: change.milliunits, db) else {
            throw DomainError(.invalid, "The payment \(payment.number) has given back less than its refunds.")
        }
        var saved = Saved(purchase: charged)
        for var refund in change.refunds {
            guard try refund.move(from: .done, to: .reversing, of: payment.account, db) else { continue }
            refund.status = .reversing
            _ = try Lease.take(.refund, [refund.identifier.rawValue], db)
            saved.reversing.append(PaymentRefund.Ordered(refund: refund, payment: payment))
        }
        return saved
    }

    /// Reinstates purchases: events, queues, receipt, the period of a
    /// subscription, and the members of the family.
    ///
    /// - Returns: The time of the reversal.
    private static func reinstate(
        _ change: RefundReversalDecision.Order, by identifier: RefundIdentifier, _ db: StoreTransaction
    ) throws -> StoreTime {
        var time = try AccountClock.of(change.charged.account, db).time(at: db.now)
        for var purchase in change.reinstated {
            let event = try AccountEvent.append(
                .reinstated, account: purchase.account, bundleIdentifier: purchase.bundleIdentifier,
                transactionIdentifier: purchase.transactionIdentifier, db)
            time = event.time
            purchase.revoked = nil
            purchase.revokedPart = nil
            if try purchase.removeRevocation(db) { try deliverAgain(purchase, db) }
            try SharingWork.note(purchase, db)
            try Subscription.reinstatePeriod(of: purchase, at: event.time, db)
            var cause = NotificationCause(.refundReversed, of: purchase, at: event.time)
            cause.subject = identifier.rawValue
            try cause.insert(db)
        }
        return time
    }

    /// Adds a transaction that no app had finished before the refund to the
    /// queues again: that of the device that has asked for it, or of another
    /// one that uses the app, if the product has one holder. Without a device
    /// the receipt lists it.
    private static func deliverAgain(_ purchase: Purchase, _ db: StoreTransaction) throws {
        let users = try DeviceApp.users(of: purchase.bundleIdentifier, account: purchase.account, db)
        let buyer = try purchase.device.flatMap { try Device.registration(of: $0, db) == nil ? nil : $0 }
        guard let asking = buyer ?? users.first else { return }
        let event = try AccountEvent.append(
            .transaction, account: purchase.account, bundleIdentifier: purchase.bundleIdentifier,
            transactionIdentifier: purchase.transactionIdentifier, db)
        let isRemote = purchase.device == Device.remoteControl(of: purchase.account)
        for device in DeliveryRule.devices(
            for: purchase.kind, asking: asking, isRemote: isRemote, wasAsked: false, users: users)
        {
            try UnfinishedTransaction.insert(
                purchase, for: device, requestIdentifier: nil, eventNumber: event.number, db)
        }
    }

    /// Lets the provider take back a refund. Repeating the call changes
    /// nothing.
    static func takeBack(_ ordered: PaymentRefund.Ordered, _ context: StoreContext) async throws {
        context.faults("takeback:before")
        let refund = ordered.refund
        try await context.provider.reverse(refund.identifier, of: refund.payment, amount: refund.amount)
        context.faults("takeback:saving")
        try await context.write(for: ordered.payment.account, isUrgent: true) { db in
            _ = try refund.move(from: .reversing, to: .reversed, of: ordered.payment.account, db)
        }
        context.faults("takeback:after")
    }
}

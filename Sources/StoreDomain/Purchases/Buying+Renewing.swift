// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension Buying {
    /// Saves that the next period of a subscription is paid, which no device
    /// asked for. A period that has begun is a purchase: ledger entry, event,
    /// the unfinished transactions of all devices that use the app, and the
    /// capture that is due. For a later one the amount stays authorised.
    ///
    /// A payment that was answered immediately is dated when it was due, also
    /// after a crash. One that the provider has answered later is dated then.
    ///
    /// - Returns: The payment's new status, which is `voiding` when its period
    ///   isn't to be charged yet: the period before it was extended, or its
    ///   renewal would end, since the charge began; and when its payer may not
    ///   be charged any more. The step is due again then. `nil` when the payment
    ///   isn't reserved or pending any more.
    /// - Throws: ``DomainError`` `notFound` when there is no subscription that
    ///   the payment can continue: the amount is released then.
    static func renew(
        _ original: OriginalTransactionIdentifier, paidBy payment: Payment, as identifier: TransactionIdentifier,
        _ db: StoreTransaction
    ) throws -> Payment.Status? {
        guard var subscription = try Subscription.find(original, of: payment.account, db),
            subscription.payment == payment.number, let state = subscription.newestState,
            state.renews, state.expired == nil, !state.isRevoked
        else { throw DomainError(.notFound, "Payment \(payment.number) continues no subscription.") }
        let subscriber = try Account.findOpen(payment.account, db)
        let clock = try subscriber?.clock ?? AccountClock.of(payment.account, db)
        let isPayer = try Payer.find(renewing: subscription, for: subscriber, db).charges(payment.payer)
        let now = clock.time(at: db.now)
        let due = payment.due ?? now
        let moment = payment.status == .pending ? max(due, now) : due
        subscription.payment = nil
        guard isPayer, moment >= state.end else {
            let isAhead = isPayer && state.awaitsAuthorisation(at: moment)
            let status: Payment.Status = isAhead ? .authorised : .voiding
            guard try payment.move(from: .reserved, or: .pending, to: status, db) else { return nil }
            if status == .authorised { subscription.authorise(payment.number, at: moment) }
            try subscription.save(clock, db)
            return status
        }
        guard let terms = try RenewalTerms.find(after: state, of: subscription, paidBy: payment, db),
            terms.price == payment.amount
        else { throw DomainError(.notFound, "The product of \(original) isn't sold any more at this price.") }
        guard try payment.move(from: .reserved, or: .pending, to: .committed, db) else { return nil }
        try begin(&subscription, terms, at: moment, paidBy: payment, as: identifier, clock, db)
        return .committed
    }

    /// Begins the next period of a subscription, and saves everything that
    /// follows.
    ///
    /// - Throws: ``DomainError`` `notFound` when the subscription has ended:
    ///   a payment for nothing must not be committed.
    static func begin(
        _ subscription: inout Subscription, _ terms: RenewalTerms, at moment: StoreTime, paidBy payment: Payment,
        as identifier: TransactionIdentifier, _ clock: AccountClock, _ db: StoreTransaction
    ) throws {
        let new = NewPeriod(
            transaction: identifier, product: terms.product, plan: terms.plan,
            webOrder: WebOrderIdentifier(identifier.rawValue), price: payment.amount, storefront: payment.storefront,
            speed: clock.speed, offer: terms.offer)
        let renewed = subscription.newestState?.period.transaction
        guard let period = subscription.renew(new, at: moment), let renewed else {
            throw DomainError(.notFound, "The subscription \(subscription.original) has ended.")
        }
        try deliver(period, after: renewed, of: subscription, at: moment, paidBy: payment, db)
        try subscription.save(clock, db)
    }

    /// Saves the purchase of a period that no device asked for, after that of
    /// the `renewed` one. It was paid at `moment`, which is later than the
    /// period's start when the charge had failed and the grace period hadn't
    /// ended.
    private static func deliver(
        _ period: SubscribedPeriod, after renewed: TransactionIdentifier, of subscription: Subscription,
        at moment: StoreTime, paidBy payment: Payment, _ db: StoreTransaction
    ) throws {
        guard let newest = try Purchase.find(renewed, of: subscription.account, db) else {
            throw DomainError(.notFound, "The purchase \(renewed) of \(subscription.original) doesn't exist.")
        }
        let event = try AccountEvent.append(
            .transaction, account: newest.account, bundleIdentifier: newest.bundleIdentifier,
            transactionIdentifier: period.transaction, at: moment, db)
        let purchase = Purchase(period, renewing: newest)
        try purchase.insert(db)
        try SharingWork.note(purchase, db)
        if let offer = period.offer, offer.number == 1 {
            try OfferUse.insert(offer, in: period.plan.group, by: purchase, db)
        }
        try LedgerEntry(
            identifier: payment.number.rawValue, account: payment.payer, transactionIdentifier: period.transaction,
            paymentNumber: payment.amount.milliunits > 0 ? payment.number : nil, amount: payment.amount,
            at: moment
        ).insert(of: purchase.account, db)
        try UncountedSale.note(purchase, entry: payment.number.rawValue, db)
        for device in try DeviceApp.users(of: purchase.bundleIdentifier, account: purchase.account, db) {
            try UnfinishedTransaction.insert(
                purchase, for: device, requestIdentifier: nil, eventNumber: event.number, db)
        }
        db.tally.note(.purchase, of: purchase.kind)
    }

    /// Saves that a renewal wasn't paid: the payment was declined, or has
    /// ended without an answer.
    static func failRenewal(_ payment: Payment, _ db: StoreTransaction) throws {
        guard case .renewal(let original) = payment.purpose,
            var subscription = try Subscription.find(original, of: payment.account, db)
        else { return }
        let state = subscription.newestState
        let wasUnderWay = subscription.payment == payment.number
        guard wasUnderWay || state?.authorised == payment.number else { return }
        subscription.payment = nil
        let clock = try AccountClock.of(payment.account, db)
        let now = clock.time(at: db.now)
        let moment = payment.status == .reserved ? payment.due ?? now : now
        // A charge that is too early for the period's new end is made again.
        let isTooEarly =
            wasUnderWay && state.map { moment < $0.end && !$0.awaitsAuthorisation(at: moment) } ?? false
        if !isTooEarly {
            subscription.fail(payment.number, at: moment, graceDays: try subscription.graceDays(db))
        }
        try subscription.save(clock, db)
    }

    /// Saves that a renewal waits for its provider: the steps that collect
    /// nothing go on.
    static func waitForRenewal(_ payment: Payment, _ db: StoreTransaction) throws {
        guard case .renewal(let original) = payment.purpose,
            var subscription = try Subscription.find(original, of: payment.account, db)
        else { return }
        try subscription.save(AccountClock.of(payment.account, db), db)
    }
}

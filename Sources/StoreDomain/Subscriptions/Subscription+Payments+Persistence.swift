// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The payment that is under way for a subscription: at most one, so that two
/// devices or two processes never pay for the same period.
extension Subscription {
    /// Records that a purchase of the group is being paid.
    ///
    /// - Throws: ``DomainError`` `underWay` while another payment is.
    static func reserve(
        _ plan: Product.Plan, of product: Product, for account: AccountIdentifier, _ attempt: Buying.Attempt,
        _ db: StoreTransaction
    ) throws {
        let found = try find(group: plan.group, of: account, bundleIdentifier: product.bundleIdentifier, db)
        guard var subscription = found else {
            let new = Subscription(
                original: OriginalTransactionIdentifier(attempt.identifier), account: account,
                bundleIdentifier: product.bundleIdentifier, group: plan.group, payment: attempt.number)
            return try new.insert(db)
        }
        guard subscription.payment == nil else {
            throw DomainError(.underWay, "A payment for this subscription is under way already: wait a moment.")
        }
        subscription.payment = attempt.number
        try subscription.save(AccountClock.of(account, db), db)
    }

    /// The identifier of the purchase that begins a subscription, which the
    /// reservation has fixed; `nil` for any other purchase.
    static func firstTransaction(
        of product: Product, for payment: Payment, _ db: StoreTransaction
    ) throws -> TransactionIdentifier? {
        guard let plan = product.plan,
            let subscription = try find(
                group: plan.group, of: payment.account, bundleIdentifier: product.bundleIdentifier, db),
            subscription.count == 0
        else { return nil }
        return TransactionIdentifier(subscription.original)
    }

    /// Ends the payment of a request that led to no purchase. A subscription
    /// that it would have begun is deleted.
    ///
    /// The product may have left the group since the payment was reserved: the
    /// subscription is then another one of the account in the app.
    static func endPayment(_ payment: Payment, of request: DeviceRequest, _ db: StoreTransaction) throws {
        guard let product = try Catalogue.product(request.productIdentifier ?? "", of: request.bundleIdentifier, db),
            product.kind == .autoRenewable
        else { return }
        var found = try product.plan.flatMap {
            try find(group: $0.group, of: payment.account, bundleIdentifier: product.bundleIdentifier, db)
        }
        if found?.payment != payment.number {
            found = try all(of: payment.account, bundleIdentifier: product.bundleIdentifier, db).first {
                $0.payment == payment.number
            }
        }
        try found?.end(payment, db)
    }

    private func end(_ payment: Payment, _ db: StoreTransaction) throws {
        guard self.payment == payment.number else { return }
        var subscription = self
        subscription.payment = nil
        try subscription.save(AccountClock.of(account, db), db)
        if subscription.count == 0 { try subscription.delete(db) }
    }

    /// Releases an amount that was authorised for a period that won't begin.
    /// ``RecoveringPayments`` calls the provider.
    static func release(_ payment: PaymentIdentifier?, of account: AccountIdentifier, _ db: StoreTransaction) throws {
        guard let payment, let found = try Payment.find(payment, of: account, db) else { return }
        _ = try found.move(from: .authorised, to: .voiding, db)
    }

    /// Chooses the product and the offer of the next period, and releases the
    /// amount that is authorised for another one.
    mutating func changePlan(
        to product: Product, with offer: AppliedOffer? = nil, of account: Account, _ db: StoreTransaction
    ) throws {
        let authorised = newestState?.authorised
        choose(
            product.productIdentifier, for: ChosenPrice(of: product, in: account.storefront), with: offer,
            at: account.time(at: db.now), agreeingTo: try increasedPrice(db))
        if newestState?.authorised == nil { try Self.release(authorised, of: account.identifier, db) }
        try save(account.clock, db)
    }

    /// Records that the price of a period was given back. The refund of the
    /// newest period ends the subscription.
    static func endPeriod(of purchase: Purchase, at moment: StoreTime, _ db: StoreTransaction) throws {
        guard purchase.kind == .autoRenewable,
            var subscription = try find(purchase.originalTransactionIdentifier, of: purchase.account, db)
        else { return }
        let authorised = subscription.newestState?.authorised
        subscription.refund(purchase.transactionIdentifier, at: moment)
        if subscription.newestState?.authorised == nil { try release(authorised, of: purchase.account, db) }
        try subscription.save(AccountClock.of(purchase.account, db), db)
    }

    /// Records that the refund of a period was taken back.
    static func reinstatePeriod(of purchase: Purchase, at moment: StoreTime, _ db: StoreTransaction) throws {
        guard purchase.kind == .autoRenewable,
            var subscription = try find(purchase.originalTransactionIdentifier, of: purchase.account, db)
        else { return }
        subscription.reverseRefund(of: purchase.transactionIdentifier, at: moment)
        try subscription.save(AccountClock.of(purchase.account, db), db)
    }

    /// Turns off the renewal of all subscriptions of an account that is
    /// closed.
    static func turnOffAll(of account: AccountIdentifier, _ db: StoreTransaction) throws {
        let clock = try AccountClock.of(account, db)
        for var subscription in try all(of: account, db) {
            let authorised = subscription.newestState?.authorised
            subscription.setRenewal(false, at: clock.time(at: db.now), because: .other)
            try release(authorised, of: account, db)
            try subscription.save(clock, db)
        }
    }
}

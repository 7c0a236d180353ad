// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Buying {
    /// Begins the period of a subscription that a customer has paid. The
    /// unused part of a period that is upgraded is given back.
    ///
    /// - Throws: ``DomainError`` `notFound` when the subscription of the
    ///   product's group isn't the one for which the payment was reserved: the
    ///   product has left that group; and when the confirmed period is longer
    ///   for a contact that was shared before. The amount is released then.
    static func subscribe(
        _ sale: Sale, to plan: Product.Plan, of request: DeviceRequest, at moment: StoreTime, _ db: StoreTransaction
    ) throws -> Purchase {
        var subscription = try reserved(for: sale, plan, db)
        try requireFirstContact(of: request, for: sale, db)
        subscription.payer = sale.payer
        let clock = try AccountClock.of(sale.account, db)
        let state = subscription.newestState
        let period = subscription.buy(
            NewPeriod(
                transaction: sale.identifier, product: sale.product.productIdentifier, plan: plan,
                webOrder: WebOrderIdentifier(sale.identifier.rawValue), price: sale.price,
                storefront: sale.storefront, speed: clock.speed, bonus: request.contact?.bonus,
                offer: request.appliedOffer), at: moment)
        if let state { try leave(state, of: subscription, at: moment, db) }
        // A promo code gives one period.
        if request.code?.isPromo == true { subscription.setRenewal(false, at: moment) }
        subscription.payment = nil
        try subscription.save(clock, db)
        // The device receives the renewals, also if its use of the app isn't
        // recorded yet.
        try DeviceApp(account: sale.account, bundleIdentifier: request.bundleIdentifier, device: request.device)
            .record(db)
        var purchase = Purchase(sale, of: request, at: period.start)
        purchase.originalTransactionIdentifier = subscription.original
        if !purchase.isOriginal,
            let first = try Purchase.find(
                TransactionIdentifier(subscription.original), of: sale.account, db)
        {
            purchase.originalDate = first.date
        }
        purchase.term = Purchase.Term(period)
        try request.contact?.contact.insert(with: purchase, db)
        if let offer = request.appliedOffer { try OfferUse.insert(offer, in: plan.group, by: purchase, db) }
        return purchase
    }

    /// Refuses the longer period for a contact that the account has got before.
    private static func requireFirstContact(
        of request: DeviceRequest, for sale: Sale, _ db: StoreTransaction
    ) throws {
        guard request.contact != nil,
            try SharedContact.exists(of: sale.account, bundleIdentifier: request.bundleIdentifier, db)
        else { return }
        throw DomainError(.notFound, "This account has got the longer period of this app already.")
    }

    /// The subscription for which a sale's payment was reserved.
    private static func reserved(
        for sale: Sale, _ plan: Product.Plan, _ db: StoreTransaction
    ) throws -> Subscription {
        let found = try Subscription.find(
            group: plan.group, of: sale.account, bundleIdentifier: sale.product.bundleIdentifier, db)
        guard let found, found.payment?.rawValue == sale.entry else {
            throw DomainError(
                .notFound,
                "\"\(sale.product.productIdentifier)\" belongs to another subscription group now: buy it again.")
        }
        return found
    }

    /// Releases the amount that is authorised for the period after the one
    /// that a new purchase follows, and gives back the unused part of an
    /// upgraded one.
    private static func leave(
        _ state: SubscriptionState, of subscription: Subscription, at moment: StoreTime, _ db: StoreTransaction
    ) throws {
        try Subscription.release(state.authorised, of: subscription.account, db)
        guard subscription.events.last(where: { $0.period != nil })?.kind == .upgraded,
            var upgraded = try Purchase.find(state.period.transaction, of: subscription.account, db)
        else { return }
        upgraded.term?.isUpgraded = true
        try upgraded.saveTerm(db)
        try RefundingPurchase.prorate(
            upgraded, to: state.period.unusedPrice(at: moment, end: state.end), at: moment, db)
    }

    /// Changes the product or the offer of a subscription's next period, or
    /// turns its renewal on. The request is answered with the current transaction, which
    /// the app receives again.
    ///
    /// The app of an interrupted request has received a failure. No payment of
    /// it waits for the transaction, and an app that has finished a transaction
    /// doesn't receive it a second time without a payment.
    ///
    /// A parent who has approved the change pays the periods that follow, and
    /// so does the account itself if more is paid with it; `payer` is `nil`
    /// without an approval of a parent.
    static func changePlan(
        _ terms: PurchaseTerms, of request: inout DeviceRequest, payer: AccountIdentifier?, _ db: StoreTransaction
    ) throws {
        let account = terms.account.identifier
        guard let plan = terms.product.plan,
            var subscription = try Subscription.find(
                group: plan.group, of: account, bundleIdentifier: request.bundleIdentifier, db),
            let state = subscription.newestState,
            let current = try Purchase.find(state.period.transaction, of: account, db)
        else { throw DomainError(.notFound, "There is no subscription to change.") }
        subscription.payer = payer ?? (terms.raisesPayments ? account : subscription.payer)
        try subscription.changePlan(to: terms.product, with: terms.subscription?.offer, of: terms.account, db)
        var event: AccountEvent?
        if let identifier = request.identifierOfDelivery {
            event = try deliverAgain(current, to: request.device, for: identifier, db)
        }
        try request.code?.complete(by: current, db)
        request.becomePurchase(current, reportedBy: event?.number)
        try request.update(db)
        // Not only the account's event: until the device reads it, the device
        // may finish an earlier delivery of the transaction, which removes it
        // from the queue.
        try DeviceNews.append(request, db)
    }

    /// Adds a transaction to the queue of a device that may have finished it,
    /// as the answer to a request.
    private static func deliverAgain(
        _ purchase: Purchase, to device: DeviceIdentifier, for request: RequestIdentifier, _ db: StoreTransaction
    ) throws -> AccountEvent {
        let event = try AccountEvent.append(
            .transaction, account: purchase.account, bundleIdentifier: purchase.bundleIdentifier,
            transactionIdentifier: purchase.transactionIdentifier, changesReceipt: false, db)
        try leaveQueue(purchase, of: device, db)
        try UnfinishedTransaction.insert(
            purchase, for: device, requestIdentifier: request, eventNumber: event.number, db)
        return event
    }

    /// Removes a transaction from a device's queue. A request that it has
    /// answered there has nothing in the queue any more, so that no event of
    /// the account answers it: the device's news make it ask again.
    private static func leaveQueue(
        _ purchase: Purchase, of device: DeviceIdentifier, _ db: StoreTransaction
    ) throws {
        let unfinished = try UnfinishedTransaction.find(
            purchase.transactionIdentifier, on: device, of: purchase.account, db)
        try UnfinishedTransaction.remove(purchase, from: device, db)
        guard let identifier = unfinished?.requestIdentifier,
            let answered = try DeviceRequest.find(identifier, of: device, db)
        else { return }
        try DeviceNews.append(answered, db)
    }
}

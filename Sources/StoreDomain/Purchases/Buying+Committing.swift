// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension Buying {
    /// Makes the purchase of an authorised payment in one transaction:
    /// purchase, reservation, ledger entry, event, queue entry, the request's
    /// answer, and the capture that is due. It doesn't decide again whether
    /// the purchase is allowed, but whether its payer may still be charged.
    ///
    /// - Returns: The request; `nil` when the payment isn't reserved or
    ///   pending any more.
    /// - Throws: ``DomainError`` `notFound` when the purchase can't be made:
    ///   the amount is released then.
    static func commit(
        _ payment: Payment, identifier: TransactionIdentifier, _ db: StoreTransaction
    ) throws -> DeviceRequest? {
        guard var request = try payment.request(db),
            let product = try Catalogue.product(request.productIdentifier ?? "", of: request.bundleIdentifier, db)
        else { throw DomainError(.notFound, "Payment \(payment.number) belongs to no request.") }
        // An immediate answer is one to the confirmation itself. A bank may
        // answer after days, and so long a store may be down.
        let isLate = payment.status == .pending || payment.isRecovered
        if isLate, !(try Payer.find(payment.payer, for: payment.account, db)).charges(payment.payer) {
            throw DomainError(.notFound, "The store sells nothing to this account any more.")
        }
        guard try payment.move(from: .reserved, or: .pending, to: .committed, db) else { return nil }
        let first = try Subscription.firstTransaction(of: product, for: payment, db)
        let sale = Sale(
            product: product, account: payment.account, payer: payment.payer,
            identifier: first ?? request.transactionIdentifier ?? identifier,
            price: payment.amount, storefront: payment.storefront, paymentNumber: payment.number,
            entry: payment.number.rawValue)
        try record(sale, of: &request, db)
        if let sheet = try Sheet.find(for: request, db) {
            _ = try sheet.move(from: .processing, to: .confirmed, db)
        }
        return request
    }

    /// Saves a purchase, completes its reservation and its request, and adds
    /// the ledger entry, the event and the unfinished transaction.
    static func record(_ sale: Sale, of request: inout DeviceRequest, _ db: StoreTransaction) throws {
        let event = try AccountEvent.append(
            .transaction, account: sale.account, bundleIdentifier: sale.product.bundleIdentifier,
            transactionIdentifier: sale.identifier, db)
        let purchase =
            try sale.product.plan.map { try subscribe(sale, to: $0, of: request, at: event.time, db) }
            ?? Purchase(sale, of: request, at: event.time)
        try purchase.insert(db)
        try ItemPurchase.record(purchase, db)
        // An item is bought on the store's pages, and belongs to no app.
        let isOfApp = purchase.bundleIdentifier != Item.catalogue
        if isOfApp, purchase.isOriginal {
            try AppTransaction.record(purchase.bundleIdentifier, of: purchase.account, db)
        }
        // A product that is given again is not bought.
        if sale.owned == nil { try CampaignPurchase.record(purchase, request.tokens, db) }
        if purchase.term == nil {
            try NotificationCause(.oneTimeCharge, of: purchase, at: event.time).insert(db)
        }
        if sale.product.isFamilyShareable { try SharingWork.note(purchase, db) }
        if purchase.completesReservation { try Reservation.complete(purchase, db) }
        try LedgerEntry(of: sale, at: event.time).insert(of: purchase.account, db)
        try UncountedSale.note(purchase, entry: sale.entry, db)
        try deliver(purchase, by: event, of: &request, db)
        try request.code?.complete(by: purchase, db)
        try settleRequests(for: purchase, of: sale.product, db)
        db.tally.note(.purchase, of: purchase.kind)
    }

    /// Adds a purchase to the queues of the devices that receive it, and
    /// completes its request.
    static func deliver(
        _ purchase: Purchase, by event: AccountEvent, of request: inout DeviceRequest, _ db: StoreTransaction
    ) throws {
        let isRemote = request.device == Device.remoteControl(of: purchase.account)
        let wasAsked = !isRemote && request.identifierOfDelivery != nil
        // No device delivers an item: its customer has it when it is paid.
        let isItem = purchase.bundleIdentifier == Item.catalogue
        let users =
            wasAsked && purchase.kind != .autoRenewable
            ? [] : try DeviceApp.users(of: purchase.bundleIdentifier, account: purchase.account, db)
        for device in DeliveryRule.devices(
            for: purchase.kind, asking: request.device, isRemote: isRemote, wasAsked: wasAsked, users: users)
        where !isItem {
            try UnfinishedTransaction.insert(
                purchase, for: device, requestIdentifier: device == request.device ? request.identifierOfDelivery : nil,
                eventNumber: event.number, db)
        }
        request.becomePurchase(purchase, reportedBy: event.number)
        try request.update(db)
        try DeviceNews.append(request, boughtBy: purchase.account, db)
    }
}

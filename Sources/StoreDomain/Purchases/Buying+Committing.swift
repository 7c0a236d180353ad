// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension Buying {
    /// Makes the purchase of an authorised payment in one transaction:
    /// purchase, reservation, ledger entry, event, queue entry, the request's
    /// answer, and the capture that is due. It doesn't decide again whether
    /// the purchase is allowed.
    static func commit(
        _ payment: Payment, identifier: TransactionIdentifier, _ db: StoreTransaction
    ) throws -> DeviceRequest {
        guard var request = try DeviceRequest.find(payment.requestIdentifier, of: payment.device, db),
            let product = try Catalogue.product(request.productIdentifier ?? "", of: request.bundleIdentifier, db)
        else { throw DomainError(.notFound, "Payment \(payment.number) belongs to no request.") }
        guard try payment.move(from: .reserved, to: .committed, db) else { return request }
        let sale = Sale(
            product: product, account: payment.account, identifier: request.transactionIdentifier ?? identifier,
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
        let purchase = Purchase(sale, of: request, at: event.time)
        try purchase.insert(db)
        if purchase.completesReservation { try Reservation.complete(purchase, db) }
        try LedgerEntry(of: sale, at: event.time).insert(db)
        let wasAsked = request.identifierOfDelivery != nil
        let users =
            wasAsked ? [] : try DeviceApp.users(of: purchase.bundleIdentifier, account: purchase.account, db)
        for device in DeliveryRule.devices(
            for: purchase.kind, asking: request.device, wasAsked: wasAsked, users: users)
        {
            try UnfinishedTransaction.insert(
                purchase, for: device, requestIdentifier: request.identifierOfDelivery, eventNumber: event.number, db)
        }
        request.becomePurchase(purchase, reportedBy: event.number)
        try request.update(db)
        try DeviceNews.append(request, boughtBy: purchase.account, db)
        db.tally.note(.purchase, of: purchase.kind)
    }

    /// Voids the payment of a purchase that can't be made, and fails its
    /// request.
    func void(_ payment: Payment, because error: DomainError) async throws -> DeviceRequest {
        try await context.provider.void(payment.number)
        return try await write(for: payment.account, isUrgent: true) { db in
            guard var request = try DeviceRequest.find(payment.requestIdentifier, of: payment.device, db)
            else { throw error }
            guard try payment.move(from: .reserved, to: .voided, db) else { return request }
            try Reservation.release(request, payment, db)
            request.fail(PurchaseFailure(.unknown, "\(error.message) Nothing was charged."))
            try request.update(db)
            try DeviceNews.append(request, db)
            if let sheet = try Sheet.find(for: request, db) {
                _ = try sheet.move(from: .processing, to: .cancelled, db)
            }
            return request
        }
    }

    /// Releases the right to buy after the provider declined. The sheet is
    /// open for another try; a deferred or interrupted request waits again.
    ///
    /// - Returns: The request, so that its device can be notified; `nil` when
    ///   the payment isn't reserved any more.
    @discardableResult
    func decline(_ payment: Payment) async throws -> DeviceRequest? {
        try await write(for: payment.account, isUrgent: true) { db in
            guard try payment.move(from: .reserved, to: .declined, db),
                var request = try DeviceRequest.find(payment.requestIdentifier, of: payment.device, db)
            else { return nil }
            let product = try Catalogue.product(request.productIdentifier ?? "", of: request.bundleIdentifier, db)
            db.tally.note(.decline, of: product?.kind)
            try Reservation.release(request, payment, db)
            request.status = request.statusBeforePayment
            try request.update(db)
            try DeviceNews.append(request, db)
            if request.status == .open, let sheet = try Sheet.find(for: request, db) {
                _ = try sheet.move(from: .processing, to: .open, db)
            }
            return request
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension Buying {
    /// Makes the purchase of an authorised payment in one transaction:
    /// purchase, reservation, ledger entry, event, queue entry, the request's
    /// answer, and the capture that is due. It doesn't decide again whether
    /// the purchase is allowed.
    static func commit(
        _ payment: Payment, identifier: String, now: Instant, _ db: StoreTransaction
    ) throws -> DeviceRequest {
        guard
            var request = try DeviceRequest.find(
                payment.requestIdentifier, of: payment.device, db),
            let product = try Catalogue.product(
                request.productIdentifier ?? "", of: request.bundleIdentifier, db)
        else { throw DomainError(.notFound, "Payment \(payment.number) belongs to no request.") }
        guard try payment.move(from: .reserved, to: .committed, db) else {
            return request
        }
        let purchase = Purchase(
            of: request, product: product, account: payment.account,
            identifier: request.transactionIdentifier ?? identifier, price: payment.amount,
            storefront: payment.storefront, owned: nil, now: now)
        try record(
            purchase, request: &request, paymentNumber: payment.number, entry: payment.number, db)
        if let sheet = try Sheet.find(for: request, db) {
            _ = try sheet.move(from: .processing, to: .confirmed, db)
        }
        return request
    }

    /// Saves a purchase, completes its reservation and its request, and adds
    /// the ledger entry, the event and the unfinished transaction.
    static func record(
        _ purchase: Purchase, request: inout DeviceRequest, paymentNumber: String?, entry: String,
        _ db: StoreTransaction
    ) throws {
        try purchase.insert(db)
        if purchase.kind.isOwnedOnce, purchase.transactionIdentifier == purchase.originalTransactionIdentifier {
            try Reservation.complete(purchase, db)
        }
        try LedgerEntry(
            identifier: entry, account: purchase.account, transactionIdentifier: purchase.transactionIdentifier,
            paymentNumber: paymentNumber, amount: purchase.price, at: purchase.date
        ).insert(db)
        let number = try AccountEvent.append(
            .transaction, account: purchase.account, bundleIdentifier: purchase.bundleIdentifier,
            transactionIdentifier: purchase.transactionIdentifier, db)
        // The app receives a failure for an interrupted payment. The later
        // purchase is delivered without a request identifier, as one that the
        // app didn't ask for.
        try UnfinishedTransaction.insert(
            purchase, for: request.device,
            requestIdentifier: request.interrupted == nil ? request.identifier : nil, eventNumber: number,
            db)
        request.status = .done
        request.failure = nil
        request.transactionIdentifier = purchase.transactionIdentifier
        request.eventNumber = number
        try request.update(db)
    }

    /// Voids the payment of a purchase that can't be made, and fails its
    /// request.
    func void(_ payment: Payment, because error: DomainError) async throws -> DeviceRequest {
        try await context.provider.void(payment.number)
        return try await write(for: payment.account) { db in
            guard
                var request = try DeviceRequest.find(
                    payment.requestIdentifier, of: payment.device, db)
            else { throw error }
            guard try payment.move(from: .reserved, to: .voided, db) else { return request }
            try Reservation.release(request, payment, db)
            request.status = .failed
            request.failure = .init(.unknown, "\(error.message) Nothing was charged.")
            try request.update(db)
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
        try await write(for: payment.account) { db in
            guard try payment.move(from: .reserved, to: .declined, db),
                var request = try DeviceRequest.find(
                    payment.requestIdentifier, of: payment.device, db)
            else { return nil }
            try Reservation.release(request, payment, db)
            request.status = request.statusBeforePayment
            try request.update(db)
            if request.status == .open, let sheet = try Sheet.find(for: request, db) {
                _ = try sheet.move(from: .processing, to: .open, db)
            }
            return request
        }
    }
}

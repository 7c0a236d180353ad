// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Buying {
    /// Makes the purchase of an authorised payment in one transaction:
    /// purchase, reservation, ledger entry, event, queue entry, the request's
    /// answer, and the capture that is due. It doesn't decide again whether
    /// the purchase is allowed.
    static func commit(
        _ payment: Payment, identifier: String, now: Instant, _ environment: StoreEnvironment,
        _ connection: any Connection
    ) throws -> DeviceRequest {
        guard
            var request = try DeviceRequest.find(
                payment.requestIdentifier, of: payment.device, environment, connection),
            let product = try Catalogue.product(
                request.productIdentifier ?? "", of: request.bundleIdentifier, connection)
        else { throw DomainError(.notFound, "Payment \(payment.number) belongs to no request.") }
        guard try payment.move(from: .reserved, to: .committed, environment, connection) else {
            return request
        }
        let purchase = Purchase(
            of: request, product: product, account: payment.account,
            identifier: request.transactionIdentifier ?? identifier, price: payment.amount,
            storefront: payment.storefront, owned: nil, now: now)
        try record(
            purchase, request: &request, paymentNumber: payment.number, entry: payment.number, environment, connection)
        if let sheet = try Sheet.find(for: request, environment, connection) {
            _ = try sheet.move(from: .processing, to: .confirmed, environment, connection)
        }
        return request
    }

    /// Saves a purchase, completes its reservation and its request, and adds
    /// the ledger entry, the event and the unfinished transaction.
    static func record(
        _ purchase: Purchase, request: inout DeviceRequest, paymentNumber: String?, entry: String,
        _ environment: StoreEnvironment, _ connection: any Connection
    ) throws {
        try purchase.insert(environment, connection)
        if purchase.kind.isOwnedOnce, purchase.transactionIdentifier == purchase.originalTransactionIdentifier {
            try Reservation.complete(purchase, environment, connection)
        }
        try LedgerEntry(
            identifier: entry, account: purchase.account, transactionIdentifier: purchase.transactionIdentifier,
            paymentNumber: paymentNumber, amount: purchase.price, at: purchase.date
        ).insert(environment, connection)
        let number = try AccountEvent.append(
            .transaction, account: purchase.account, bundleIdentifier: purchase.bundleIdentifier,
            transactionIdentifier: purchase.transactionIdentifier, environment, connection)
        // The app receives a failure for an interrupted payment. The later
        // purchase is delivered without a request identifier, as one that the
        // app didn't ask for.
        try UnfinishedTransaction.insert(
            purchase, for: request.device,
            requestIdentifier: request.interrupted == nil ? request.identifier : nil, eventNumber: number,
            environment, connection)
        request.status = .done
        request.failure = nil
        request.transactionIdentifier = purchase.transactionIdentifier
        request.eventNumber = number
        try request.update(environment, connection)
    }

    /// Voids the payment of a purchase that can't be made, and fails its
    /// request.
    func void(_ payment: Payment, because error: DomainError) async throws -> DeviceRequest {
        try await context.provider.void(payment.number)
        return try await database.write(for: payment.account) { [environment] connection in
            guard
                var request = try DeviceRequest.find(
                    payment.requestIdentifier, of: payment.device, environment, connection)
            else { throw error }
            guard try payment.move(from: .reserved, to: .voided, environment, connection) else { return request }
            try Reservation.release(request, payment, environment, connection)
            request.status = .failed
            request.failure = .init(code: 0, message: "\(error.message) Nothing was charged.")
            try request.update(environment, connection)
            if let sheet = try Sheet.find(for: request, environment, connection) {
                _ = try sheet.move(from: .processing, to: .cancelled, environment, connection)
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
        try await database.write(for: payment.account) { [environment] connection in
            guard try payment.move(from: .reserved, to: .declined, environment, connection),
                var request = try DeviceRequest.find(
                    payment.requestIdentifier, of: payment.device, environment, connection)
            else { return nil }
            try Reservation.release(request, payment, environment, connection)
            request.status = request.statusBeforePayment
            try request.update(environment, connection)
            if request.status == .open, let sheet = try Sheet.find(for: request, environment, connection) {
                _ = try sheet.move(from: .processing, to: .open, environment, connection)
            }
            return request
        }
    }
}

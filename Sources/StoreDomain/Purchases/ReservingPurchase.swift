// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Buying {
    struct Reserved: Sendable {
        var request: Request
        /// Whether another account is signed in on the device now.
        var accountChanged: Bool
        /// `nil` when nothing has to be paid: the purchase is made already.
        var payment: Payment?
    }

    /// Uses the sheet up, binds the request to the account and holds the
    /// right to buy. What the account owns already, or what costs nothing, is
    /// bought here and now.
    static func reserve(
        sheet token: String, account: Account, shown: Money?, number: String, identifier: String, now: Instant,
        _ environment: StoreEnvironment, _ connection: any Connection
    ) throws -> Reserved {
        var (sheet, request): (Sheet, Request)
        do {
            (sheet, request) = try AnsweringSheet.open(token, now: now, environment, connection)
        } catch let refusal as DomainError where refusal.code == .sheetUsed {
            guard let mine = try reserved(number: number, identifier: identifier, environment, connection) else {
                throw refusal
            }
            return mine
        }
        let product = try Catalogue.product(request.productIdentifier ?? "", of: request.bundleIdentifier, connection)
        guard request.kind == .payment, let product else {
            throw DomainError(.invalid, "This page asks for no payment: answer it with sign-in or cancel.")
        }
        request.account = account.identifier
        let changed = try Device.setAccount(account.identifier, on: request.device, environment, connection)
        if let refusal = request.refusal(product: product) {
            // Withdrawn since the sheet was opened.
            guard try sheet.move(from: .open, to: .cancelled, environment, connection) else {
                throw AnsweringSheet.overtaken
            }
            request.status = .failed
            request.failure = refusal
            try request.update(environment, connection)
            return Reserved(request: request, accountChanged: changed)
        }

        let owned = try ownedPurchase(of: product, account: account, environment, connection)
        guard let whole = product.price(in: account.storefront).times(request.quantity) else {
            throw DomainError(.invalid, "The price is too large.")
        }
        let price = owned == nil ? whole : Money(milliunits: 0, currency: whole.currency)
        if let shown, shown != whole {
            throw DomainError(
                .priceChanged,
                "In the store of your country the price is \(whole.decimal) \(whole.currency). Nothing was charged yet."
            )
        }
        let isFree = price.milliunits == 0
        guard try sheet.move(from: .open, to: isFree ? .confirmed : .processing, environment, connection) else {
            throw AnsweringSheet.overtaken
        }
        sheet.status = isFree ? .confirmed : .processing
        if product.kind.isOwnedOnce, owned == nil {
            try Reservation.insert(
                account: account.identifier, product: product, paymentNumber: number, environment, connection)
        }
        if isFree {
            let purchase = Purchase(
                of: request, product: product, account: account, identifier: identifier, price: price, owned: owned,
                now: now)
            try record(purchase, request: &request, paymentNumber: nil, entry: number, environment, connection)
            return Reserved(request: request, accountChanged: changed)
        }
        request.status = .processing
        try request.update(environment, connection)
        let payment = Payment(
            number: number, device: request.device, requestIdentifier: request.identifier,
            account: account.identifier, amount: price, status: .reserved)
        try payment.insert(at: now, environment, connection)
        return Reserved(request: request, accountChanged: changed, payment: payment)
    }

    /// What this very call has reserved before, when it runs again after a
    /// lost commit: the sheet was used by itself.
    private static func reserved(
        number: String, identifier: String, _ environment: StoreEnvironment, _ connection: any Connection
    ) throws -> Reserved? {
        let payment = try Payment.find(number, environment, connection)
        let purchase = payment == nil ? try Purchase.find(identifier, environment, connection) : nil
        guard let device = payment?.device ?? purchase?.device,
            let identifier = payment?.requestIdentifier ?? purchase?.requestIdentifier,
            let request = try Request.find(identifier, of: device, environment, connection)
        else { return nil }
        // Saying once too often that the account changed does no harm.
        return Reserved(request: request, accountChanged: true, payment: payment)
    }

    /// The account's purchase of a non-consumable.
    ///
    /// - Throws: ``DomainError`` `underWay` while another payment for it is.
    private static func ownedPurchase(
        of product: Product, account: Account, _ environment: StoreEnvironment, _ connection: any Connection
    ) throws -> Purchase? {
        guard product.kind.isOwnedOnce,
            let reservation = try Reservation.find(
                account: account.identifier, product: product, environment, connection)
        else { return nil }
        guard let identifier = reservation.transactionIdentifier else {
            throw DomainError(.underWay, "A payment for this is under way already: wait a moment.")
        }
        return try Purchase.find(identifier, environment, connection)
    }
}

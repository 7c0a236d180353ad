// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Buying {
    struct Reserved: Sendable {
        var request: DeviceRequest
        /// Whether another account is signed in on the device now.
        var accountChanged = false
        /// `nil` when nothing has to be paid now: the purchase is made, waits
        /// for a decision, is interrupted, or was refused.
        var payment: Payment?
    }

    /// The product of a request, and its price.
    struct Terms {
        var product: Product
        /// The account's purchase of it, if it can be owned only once and the
        /// account owns it.
        var owned: Purchase?
        /// The price of the whole quantity for an account that doesn't own
        /// the product.
        var whole: Money

        var price: Money { owned == nil ? whole : Money(milliunits: 0, currency: whole.currency) }
    }

    /// Marks the sheet as answered, binds the request to the account, and
    /// holds the right to buy. A product that the account owns already, or
    /// that costs nothing, is bought in this transaction. A request that
    /// needs an approval or is interrupted waits.
    static func reserve(
        sheet token: String, account: String, shown: Money?, number: String, identifier: String, now: Instant,
        _ environment: StoreEnvironment, _ connection: any Connection
    ) throws -> Reserved {
        var (sheet, request): (Sheet, DeviceRequest)
        do {
            (sheet, request) = try AnsweringSheet.open(token, now: now, environment, connection)
        } catch let refusal as DomainError where refusal.code == .sheetUsed {
            guard let mine = try reserved(number: number, identifier: identifier, environment, connection) else {
                throw refusal
            }
            return mine
        }
        // The account is read again: since its password was checked it may
        // have been barred, moved or closed, or may need an approval.
        guard let account = try Account.findOpen(account, environment, connection) else { throw SigningIn.wrong }
        let product = try Catalogue.product(request.productIdentifier ?? "", of: request.bundleIdentifier, connection)
        guard request.kind == .payment, let product else {
            throw DomainError(.invalid, "This page asks for no payment: answer it with sign-in or cancel.")
        }
        request.account = account.identifier
        let changed = try Device.setAccount(account.identifier, on: request.device, environment, connection)
        if let refusal = request.refusal(product: product, account: account) {
            // The product was withdrawn after the sheet was opened, or isn't
            // sold to this account.
            guard try sheet.move(from: .open, to: .cancelled, environment, connection) else {
                throw AnsweringSheet.overtaken
            }
            request.status = .failed
            request.failure = refusal
            try request.update(environment, connection)
            return Reserved(request: request, accountChanged: changed)
        }

        let terms = try terms(of: request, product, account: account, environment, connection)
        if let shown, shown != terms.whole {
            throw DomainError(
                .priceChanged,
                """
                In the store of your country the price is \(terms.whole.decimal) \(terms.whole.currency). \
                Nothing was charged yet.
                """)
        }
        let waits = terms.owned == nil && (request.needsApproval(of: account) || account.interruptsPurchases)
        let status: Sheet.Status = waits || terms.price.milliunits == 0 ? .confirmed : .processing
        guard try sheet.move(from: .open, to: status, environment, connection) else {
            throw AnsweringSheet.overtaken
        }
        sheet.status = status
        if waits {
            if request.needsApproval(of: account) {
                request.deferred(for: account, as: identifier, at: now)
            } else {
                request.interrupted(for: account, as: identifier, at: now)
            }
            try request.update(environment, connection)
            return Reserved(request: request, accountChanged: changed)
        }
        let payment = try begin(
            &request, on: terms, account: account, number: number, identifier: identifier, now: now, environment,
            connection)
        return Reserved(request: request, accountChanged: changed, payment: payment)
    }

    /// Returns the product and the price of a request for an account.
    ///
    /// - Throws: ``DomainError``: `underWay` while another payment for a
    ///   product that can be owned once is under way, `invalid` when the
    ///   price is too large.
    static func terms(
        of request: DeviceRequest, _ product: Product, account: Account, _ environment: StoreEnvironment,
        _ connection: any Connection
    ) throws -> Terms {
        let owned = try ownedPurchase(of: product, account: account, environment, connection)
        guard let whole = product.price(in: account.storefront).times(request.quantity) else {
            throw DomainError(.invalid, "The price is too large.")
        }
        return Terms(product: product, owned: owned, whole: whole)
    }

    /// Holds the right to buy, and saves the payment; `nil` when nothing has
    /// to be collected and the purchase is made.
    static func begin(
        _ request: inout DeviceRequest, on terms: Terms, account: Account, number: String, identifier: String,
        now: Instant, _ environment: StoreEnvironment, _ connection: any Connection
    ) throws -> Payment? {
        if terms.product.kind.isOwnedOnce, terms.owned == nil {
            try Reservation.insert(
                account: account.identifier, product: terms.product, paymentNumber: number, environment, connection)
        }
        if terms.price.milliunits == 0 {
            let purchase = Purchase(
                of: request, product: terms.product, account: account.identifier, identifier: identifier,
                price: terms.price, storefront: account.storefront.countryCode, owned: terms.owned, now: now)
            try record(purchase, request: &request, paymentNumber: nil, entry: number, environment, connection)
            return nil
        }
        request.status = .processing
        try request.update(environment, connection)
        let payment = Payment(
            number: number, device: request.device, requestIdentifier: request.identifier,
            account: account.identifier, amount: terms.price, storefront: account.storefront.countryCode,
            status: .reserved)
        try payment.insert(at: now, environment, connection)
        return payment
    }

    /// The reservation that this call has committed, when its closure runs
    /// again after a lost commit: then this call has used the sheet.
    private static func reserved(
        number: String, identifier: String, _ environment: StoreEnvironment, _ connection: any Connection
    ) throws -> Reserved? {
        let payment = try Payment.find(number, environment, connection)
        let request =
            try payment.map { try DeviceRequest.find($0.requestIdentifier, of: $0.device, environment, connection) }
            ?? DeviceRequest.find(transaction: identifier, environment, connection)
        guard let request else { return nil }
        // `true` even if the account didn't change: a superfluous
        // notification does no harm.
        return Reserved(request: request, accountChanged: true, payment: payment)
    }

    /// The account's purchase of a non-consumable; `nil` when it doesn't own
    /// it.
    ///
    /// - Throws: ``DomainError`` `underWay` while another payment for it is
    ///   under way.
    static func ownedPurchase(
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

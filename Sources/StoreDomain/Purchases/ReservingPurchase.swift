// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Buying {
    struct Reserved: Sendable {
        var request: Request
        /// Whether another account is signed in on the device now.
        var accountChanged = false
        /// `nil` when nothing has to be paid now: the purchase is made
        /// already, or somebody else has to decide first.
        var payment: Payment?
    }

    /// What a request would buy, and for how much.
    struct Terms {
        var product: Product
        /// The account's purchase of it, when it can be owned once and is.
        var owned: Purchase?
        /// What all of it costs whoever doesn't own it.
        var whole: Money

        var price: Money { owned == nil ? whole : Money(milliunits: 0, currency: whole.currency) }
    }

    /// Uses the sheet up, binds the request to the account and holds the
    /// right to buy. What the account owns already, or what costs nothing, is
    /// bought here and now; what somebody else has to approve waits.
    static func reserve(
        sheet token: String, account: String, shown: Money?, number: String, identifier: String, now: Instant,
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
        // The account as it is now: since its password was checked it may have
        // been barred, moved or closed, or asks to buy.
        guard let account = try Account.findOpen(account, environment, connection) else { throw SigningIn.wrong }
        let product = try Catalogue.product(request.productIdentifier ?? "", of: request.bundleIdentifier, connection)
        guard request.kind == .payment, let product else {
            throw DomainError(.invalid, "This page asks for no payment: answer it with sign-in or cancel.")
        }
        request.account = account.identifier
        let changed = try Device.setAccount(account.identifier, on: request.device, environment, connection)
        if let refusal = request.refusal(product: product, account: account) {
            // Withdrawn since the sheet was opened, or another account's.
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

    /// - Throws: ``DomainError``: `underWay` while another payment for a
    ///   product that can be owned once is, `invalid` when the price is too
    ///   large to be counted.
    static func terms(
        of request: Request, _ product: Product, account: Account, _ environment: StoreEnvironment,
        _ connection: any Connection
    ) throws -> Terms {
        let owned = try ownedPurchase(of: product, account: account, environment, connection)
        guard let whole = product.price(in: account.storefront).times(request.quantity) else {
            throw DomainError(.invalid, "The price is too large.")
        }
        return Terms(product: product, owned: owned, whole: whole)
    }

    /// Holds the right to buy, and makes the payment that has to be collected;
    /// `nil` when there is nothing to collect and the purchase is made.
    static func begin(
        _ request: inout Request, on terms: Terms, account: Account, number: String, identifier: String,
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

    /// What this very call has reserved before, when it runs again after a
    /// lost commit: the sheet was used by itself.
    private static func reserved(
        number: String, identifier: String, _ environment: StoreEnvironment, _ connection: any Connection
    ) throws -> Reserved? {
        let payment = try Payment.find(number, environment, connection)
        let request =
            try payment.map { try Request.find($0.requestIdentifier, of: $0.device, environment, connection) }
            ?? Request.find(transaction: identifier, environment, connection)
        guard let request else { return nil }
        // Saying once too often that the account changed does no harm.
        return Reserved(request: request, accountChanged: true, payment: payment)
    }

    /// The account's purchase of a non-consumable.
    ///
    /// - Throws: ``DomainError`` `underWay` while another payment for it is.
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

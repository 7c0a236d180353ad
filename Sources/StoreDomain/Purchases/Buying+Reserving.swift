// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Buying {
    /// The customer's confirmation of a sheet.
    struct Confirmation: Sendable {
        var sheet: String
        /// The account whose password was checked.
        var account: AccountIdentifier
        var confirmed: ConfirmedTerms
        /// The hash of the code that is redeemed; `nil` for a payment.
        var code: String?
        var attempt: Attempt
    }

    /// The values of one confirmation or approval that are drawn before its
    /// database transaction, so that a repeated run of the closure uses the
    /// same.
    struct Attempt: Sendable {
        /// The number of the payment, if there is one.
        var number: PaymentIdentifier
        /// The transaction identifier of the future purchase.
        var identifier: TransactionIdentifier
        /// The account that pays; `nil` for the one that gets the purchase.
        var payer: AccountIdentifier?
        /// The payment method of the payer that is charged; `nil` for the
        /// preferred one.
        var method: PaymentMethodIdentifier?
    }

    struct Reserved: Sendable {
        var request: DeviceRequest
        /// `nil` when nothing has to be paid now: the purchase is made, waits
        /// for a decision, is interrupted, or was refused.
        var payment: Payment?
    }

    /// Uses the sheet, binds the request to the account and saves the
    /// decision about the payment.
    static func reserve(_ confirmation: Confirmation, _ db: StoreTransaction) throws -> Reserved {
        let attempt = confirmation.attempt
        var (sheet, request): (Sheet, DeviceRequest)
        do {
            (sheet, request) = try AnsweringSheet.open(confirmation.sheet, db)
        } catch let refusal as DomainError where refusal.code == .sheetUsed {
            guard let mine = try reserved(by: confirmation, db) else { throw refusal }
            return mine
        }
        // The account is loaded again: since its password was checked it may
        // have been barred, moved or closed, or Ask to Buy was switched on.
        guard let account = try Account.findOpen(confirmation.account, db) else { throw SigningIn.wrong }
        if let code = confirmation.code {
            try RedeemingCode.bind(code, to: &request, for: account, attempt.number, db)
        }
        let product = try Catalogue.product(request.productIdentifier ?? "", of: request.bundleIdentifier, db)
        guard request.kind == .payment || confirmation.code != nil, let product else {
            throw DomainError(.invalid, "This page asks for no payment: answer it with sign-in, a code or cancel.")
        }
        request.account = account.identifier
        request.tokens = confirmation.confirmed.tokens ?? request.tokens
        let ownership = try Ownership(of: product, by: account, request.discount, request.code, db)
        let decision = try PurchaseDecision.confirming(
            request, product, by: account, ownership, confirmation.confirmed)
        request.contact = try ownership.exchange(for: confirmation.confirmed.contact)
        if decision.waits {
            request.confirmed = ConfirmedPayment(
                try PurchaseTerms(of: request, product, for: account, ownership), method: confirmation.confirmed.method)
        }
        guard try sheet.move(from: .open, to: decision.sheetStatus, db) else { throw AnsweringSheet.overtaken }
        // Every answer locks the sheet before the device: two that lock them
        // in different orders could deadlock.
        try Device.setAccount(account.identifier, on: request.device, db)
        if !decision.refuses { try request.code?.spend(for: account.identifier, on: request, db) }
        let payment = try save(decision, &request, attempt, db)
        return Reserved(request: request, payment: payment)
    }

    /// Saves a decision.
    ///
    /// - Returns: The payment that has to be collected; `nil` when there is
    ///   none.
    static func save(
        _ decision: PurchaseDecision, _ request: inout DeviceRequest, _ attempt: Attempt, _ db: StoreTransaction
    ) throws -> Payment? {
        switch decision {
        case .buy(let terms):
            return try begin(&request, on: terms, attempt, db)
        case .refuse(let failure):
            request.fail(failure)
            try request.releaseCode(db)
        case .waitForApproval(let account):
            request.deferred(for: account, as: attempt.identifier, at: db.now, limit: db.askToBuyLimit)
            try ParentNotice.note(request, db)
        case .interrupt(let account):
            request.interrupted(for: account, as: attempt.identifier, at: db.now)
        }
        try request.update(db)
        try DeviceNews.append(request, db)
        return nil
    }

    /// Reserves the right to buy and records the payment, or makes a purchase
    /// that costs nothing.
    private static func begin(
        _ request: inout DeviceRequest, on terms: PurchaseTerms, _ attempt: Attempt, _ db: StoreTransaction
    ) throws -> Payment? {
        let account = terms.account
        if terms.product.kind.isOwnedOnce, terms.owned == nil {
            try Reservation.insert(
                account: account.identifier, product: terms.product, paymentNumber: attempt.number, db)
        }
        if let change = terms.change, let plan = terms.product.plan {
            guard change.charges else {
                try changePlan(terms, of: &request, payer: attempt.payer, db)
                return nil
            }
            try Subscription.reserve(plan, of: terms.product, for: account.identifier, attempt, db)
            request.appliedOffer = terms.subscription?.offer
        }
        guard terms.price.milliunits > 0 else {
            let sale = Sale(
                product: terms.product, account: account.identifier, payer: attempt.payer ?? account.identifier,
                identifier: attempt.identifier, price: terms.price, storefront: account.storefront.countryCode,
                owned: terms.owned,
                entry: attempt.number.rawValue)
            try record(sale, of: &request, db)
            return nil
        }
        request.status = .processing
        try request.update(db)
        var payment = Payment(
            number: attempt.number, purpose: .request(request.identifier, of: request.device),
            account: account.identifier, payer: attempt.payer ?? account.identifier, amount: terms.price,
            storefront: account.storefront.countryCode,
            status: .reserved)
        payment.method = try PaymentMethod.charging(payment.payer, for: account, by: attempt.method, db)
        try payment.insert(db)
        return payment
    }

    /// The result of an earlier run of the same confirmation, whose commit
    /// succeeded although its answer was lost: that run has used the sheet.
    private static func reserved(by confirmation: Confirmation, _ db: StoreTransaction) throws -> Reserved? {
        let attempt = confirmation.attempt
        let payment = try Payment.find(attempt.number, of: confirmation.account, db)
        let request =
            try payment.flatMap { try $0.request(db) }
            ?? DeviceRequest.find(transaction: attempt.identifier, db) ?? redeemed(by: confirmation, db)
        guard let request else { return nil }
        return Reserved(request: request, payment: payment)
    }
}

extension Buying {
    /// The request of a redemption that has changed a plan, and which has the
    /// transaction of another purchase.
    private static func redeemed(by confirmation: Confirmation, _ db: StoreTransaction) throws -> DeviceRequest? {
        guard confirmation.code != nil, let sheet = try Sheet.find(confirmation.sheet, db),
            let request = try DeviceRequest.find(sheet.requestIdentifier, of: sheet.device, db),
            request.code?.number == confirmation.attempt.number.rawValue
        else { return nil }
        return request
    }
}

extension Ownership {
    /// Loads whether an account owns a product, and the terms of a subscription
    /// with the promotional offer or the code of its payment.
    init(
        of product: Product, by account: Account, _ discount: PaymentDiscount?, _ code: RedeemedCode?,
        _ db: StoreTransaction
    ) throws {
        if let terms = try SubscriptionTerms.find(product, for: account, discount, code: code, db) {
            self = .subscribed(terms)
            return
        }
        guard product.kind.isOwnedOnce,
            let reservation = try Reservation.find(account: account.identifier, product: product, db)
        else {
            self = .notOwned
            return
        }
        guard let identifier = reservation.transactionIdentifier else {
            self = .paymentUnderWay
            return
        }
        self = try Purchase.find(identifier, of: account.identifier, db).map { .owned($0) } ?? .notOwned
    }
}

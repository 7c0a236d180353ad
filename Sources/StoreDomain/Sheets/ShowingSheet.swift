// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The contents of a sheet's page.
package struct SheetView: Sendable {
    package var environment: StoreEnvironment
    package var sheet: Sheet
    package var request: DeviceRequest
    /// The app that asks. An unregistered app has the last part of its
    /// bundle identifier as its name.
    package var app: App
    /// The item that is bought; `nil` for every other product.
    package var item: Item?
    /// The product of a payment; `nil` on a sign-in sheet.
    package var product: Product?
    /// The price of the payment's whole quantity, with the offer that applies
    /// to a subscription.
    package var price: Money?
    /// Whether the account owns the product already, so that it is given again
    /// without a charge.
    package var isOwned = false
    /// Whether another person has to approve the payment (Ask to Buy).
    package var needsApproval = false
    /// The terms of an auto-renewable subscription; `nil` for every other
    /// product.
    package var terms: SubscriptionTerms?
    /// The storefront in whose currency `price` is.
    package var storefront: Storefront
    /// The terms, for the form; `nil` for a sheet without a product.
    package var shown: ShownTerms? {
        price.map { ShownTerms($0, terms, isOwned: isOwned) }
    }
    /// The customer's account if it is known, else the account that is signed
    /// in on the device.
    package var account: Account?
    /// Whether `account` is known by a password or a session.
    package var isKnown = false
    /// The payment methods from which a known customer chooses, the oldest
    /// first; empty for another one.
    package var methods: [PaymentMethod] = []
    /// Why the sheet can't be answered any more.
    package var refusal: DomainError?
    /// The provider's or the bank's part of a payment that is pending; `nil`
    /// for any other.
    package var pending: PendingAuthorisation?
    /// The choice that a confirmation has made instead of a purchase; `nil`
    /// for every other sheet.
    package var chosen: ChosenPlan?
    /// The higher price that waits for the consent of `account`, else of the
    /// account that is signed in on the device; `nil` for every other sheet,
    /// and when none waits.
    package var increase: PendingPriceIncrease?

    /// Whether the sheet asks for a product that costs nothing, now and later.
    package var isFree: Bool { request.kind == .payment && terms == nil && price?.milliunits == 0 }
}

/// Loads a sheet for its page, and ends a sheet whose page was closed.
package struct ShowingSheet: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Loads a sheet. The price is that of the customer's storefront, else of
    /// the account that is signed in on the device, else of the United
    /// States. A page that was closed less than ``Sheet/closingPause`` ago
    /// counts as opened again.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func callAsFunction(_ token: String, as customer: Account?) async throws -> SheetView {
        let view = try await read { db in
            try Self.view(token, as: customer, db)
        }
        if view.refusal == nil, view.sheet.closing != view.sheet.expires {
            try await write(.key(token)) { db in
                try view.sheet.setClosing(view.sheet.expires, db)
            }
        }
        return view
    }

    /// Ends the sheet after ``Sheet/closingPause``, because its page was
    /// closed. A page that is opened again before that keeps its sheet.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func closed(_ token: String) async throws {
        try await write(.key(token)) { db in
            guard let sheet = try Sheet.find(token, db) else { throw Self.unknown }
            guard sheet.refusal(now: db.now) == nil else { return }
            try sheet.setClosing(min(sheet.expires, db.now + Sheet.closingPause), db)
        }
    }

    private static func increase(
        for request: DeviceRequest, of customer: Account?, _ db: StoreTransaction
    ) throws -> PendingPriceIncrease? {
        let own = try customer.flatMap { try PendingPriceIncrease.first(of: $0, in: request.bundleIdentifier, db) }
        if let own { return own }
        return try Device.signedInAccount(on: request.device, db).flatMap {
            try PendingPriceIncrease.first(of: $0, in: request.bundleIdentifier, db)
        }
    }

    private static func owns(_ product: Product, _ account: Account, _ db: StoreTransaction) throws -> Bool {
        guard product.kind.isOwnedOnce, case .owned = try Ownership(of: product, by: account, nil, nil, db) else {
            return false
        }
        return true
    }

    static let unknown = DomainError(.notFound, "There is no such page. Go back to the app and try again.")

    static func view(_ token: String, as customer: Account?, _ db: StoreTransaction) throws -> SheetView {
        guard let sheet = try Sheet.find(token, db),
            let request = try DeviceRequest.find(sheet.requestIdentifier, of: sheet.device, db)
        else { throw unknown }
        let account = try customer ?? Device.signedInAccount(on: sheet.device, db)
        let storefront = account?.storefront ?? .unitedStates
        let product = try request.productIdentifier.flatMap {
            try Catalogue.product($0, of: request.bundleIdentifier, db)
        }
        let pending = sheet.status == .processing ? try Payment.pending(of: request, db)?.pending : nil
        let terms = try product.flatMap {
            try SubscriptionTerms.shown($0, to: account, in: storefront, request.discount, code: request.code, db)
        }
        let isOwned = try product.flatMap { product in
            try account.map { try owns(product, $0, db) }
        }
        let price = product.flatMap { PurchaseTerms.whole(of: request, $0, in: storefront, terms) }
        let hasMethods = customer.map { $0.paymentMethod != .standard } ?? false
        return SheetView(
            environment: db.environment, sheet: sheet, request: request,
            app: try Item.seller(of: request.productIdentifier, in: request.bundleIdentifier, db),
            item: try Item.bought(request.productIdentifier, in: request.bundleIdentifier, db),
            product: product, price: price, isOwned: isOwned ?? false,
            needsApproval: account.map(request.needsApproval) ?? false && terms?.raisesPayments != false,
            terms: terms,
            storefront: storefront, account: account,
            isKnown: customer != nil,
            methods: hasMethods ? try account.map { try PaymentMethod.list(of: $0.identifier, db) } ?? [] : [],
            refusal: sheet.refusal(now: db.now), pending: pending,
            chosen: try product?.plan.flatMap { _ in try ChosenPlan.made(by: request, db) },
            increase: request.kind == .priceConsent ? try increase(for: request, of: customer, db) : nil)
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// The terms of a code for an account, which the customer confirms.
package struct CodeTerms: Hashable, Sendable {
    package var product: Product
    /// The offer that a subscription gets now, or at its next billing; `nil`
    /// for every other product.
    package var offer: AppliedOffer?
    /// The terms of a subscription; `nil` for every other product.
    package var subscription: SubscriptionTerms?
    /// The price that is paid for the first period of the offer, or for the
    /// product.
    package var price: Money
    /// The terms, for the form.
    package var shown: ShownTerms { ShownTerms(price, subscription) }
}

/// Redeems a code that a customer types on the sheet of a redemption.
///
/// A redemption is a purchase: ``Buying`` carries it out. It uses the code in
/// the write that reserves the payment; a payment that isn't made gives the use
/// back.
package struct RedeemingCode: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The terms of a code, which isn't used yet.
    ///
    /// - Throws: ``DomainError``: `codeUnknown`, `codeUsed`, `codeExpired`,
    ///   `codeRevoked`, `codeNotEligible`, `codeRedeemed`, `throttled`,
    ///   `notFound` for a product that isn't sold to the account, `underWay`,
    ///   and those of a sheet that is over.
    package func terms(of code: String, onSheet token: String, account: Account) async throws -> CodeTerms {
        let hash = try await known(code, onSheet: token, account: account.identifier)
        return try await read { db in
            let (_, asked) = try Self.open(token, db)
            guard let account = try Account.findOpen(account.identifier, db) else { throw SigningIn.wrong }
            var request = asked
            try Self.bind(hash, to: &request, for: account, PaymentIdentifier(""), db)
            let product = try Catalogue.offered(request.productIdentifier ?? "", of: request.bundleIdentifier, db)
            let ownership = try Ownership(of: product, by: account, nil, request.code, db)
            let terms = try PurchaseTerms(of: request, product, for: account, ownership)
            return CodeTerms(
                product: product, offer: terms.subscription?.offer,
                subscription: try SubscriptionTerms.shown(
                    product, to: account, in: account.storefront, nil, code: request.code, db),
                price: terms.whole)
        }
    }

    /// Redeems a code for an account whose password was checked. Nothing is
    /// charged or done on other terms than those that were `shown`, if they are
    /// given.
    ///
    /// - Throws: The errors of ``terms(of:onSheet:account:)`` and of
    ///   ``Buying``. The sheet stays open for another code.
    package func callAsFunction(
        code: String, sheet token: String, account: Account, shown: AgreedTerms?
    ) async throws -> Buying.Progress {
        let hash = try await known(code, onSheet: token, account: account.identifier)
        return try await Buying(context).confirm(
            sheet: token, account: account, ConfirmedTerms(shown: shown), code: hash)
    }

    /// The hash of a code of the sheet's app. A text that is no code counts as
    /// a guess, of the account and of the device: after ten of them the next
    /// ones have to wait.
    ///
    /// The counts are locked while the code is looked up, so that guesses at
    /// the same time don't all pass the same check.
    private func known(_ code: String, onSheet token: String, account: AccountIdentifier) async throws -> String {
        let text = OfferCodeText(typed: code)
        let hash = try await write(.key(token)) { db -> Result<String, DomainError> in
            let (sheet, request) = try Self.seen(token, db)
            let throttles = try [SignInThrottle.Subject.codes(of: account), .codes(on: sheet.device)].map {
                try SignInThrottle.hold($0, db)
            }
            for throttle in throttles {
                if let wait = throttle.wait(now: db.now) { throw DomainError.guesses(wait) }
            }
            if let text, let found = try OfferCode.find(text, in: try Self.app(of: request, db), db) {
                return .success(found.hash)
            }
            if let text, try OfferCode.isOfAnotherApp(text, db) { return .failure(OfferCode.ofAnotherApp) }
            for var throttle in throttles {
                throttle.count(now: db.now)
                try throttle.save(db)
            }
            return .failure(OfferCode.unknown)
        }
        return try hash.get()
    }

    /// A sheet of a redemption with its request. One that was confirmed is
    /// found too, because a confirmation may be repeated after a lost answer;
    /// ``Buying`` refuses it otherwise.
    private static func seen(_ token: String, _ db: StoreTransaction) throws -> (Sheet, DeviceRequest) {
        guard let sheet = try Sheet.find(token, db),
            let request = try DeviceRequest.find(sheet.requestIdentifier, of: sheet.device, db)
        else { throw ShowingSheet.unknown }
        guard request.kind == .redemption else { throw noRedemption }
        return (sheet, request)
    }

    /// An open sheet of a redemption, with its request.
    private static func open(_ token: String, _ db: StoreTransaction) throws -> (Sheet, DeviceRequest) {
        let (sheet, request) = try AnsweringSheet.open(token, db)
        guard request.kind == .redemption else { throw noRedemption }
        return (sheet, request)
    }

    /// The app whose codes a redemption takes: that of an item, on whose page
    /// it began.
    ///
    /// - Throws: ``DomainError`` `invalid` for an item that is no app any more.
    private static func app(of request: DeviceRequest, _ db: StoreTransaction) throws -> BundleIdentifier {
        guard request.bundleIdentifier == Item.catalogue else { return request.bundleIdentifier }
        let item = try Item.bought(request.productIdentifier, in: request.bundleIdentifier, db)
        guard let app = item?.app else { throw noRedemption }
        return app
    }

    static let noRedemption = DomainError(.invalid, "This page takes no code: answer it as it asks.")

    /// Binds the request of a redemption to a code and its product, as far as
    /// the code can be redeemed by the account.
    ///
    /// - Throws: ``DomainError``, as ``terms(of:onSheet:account:)`` does.
    static func bind(
        _ hash: String, to request: inout DeviceRequest, for account: Account, _ number: PaymentIdentifier,
        _ db: StoreTransaction
    ) throws {
        guard request.kind == .redemption else { throw noRedemption }
        guard let code = try OfferCode.find(hash: hash, db), code.batch.bundleIdentifier == (try app(of: request, db))
        else { throw OfferCode.unknown }
        let batch = code.batch
        // The page of an app takes the codes of the app itself, and its sheet
        // those of its products.
        let isOnPage = request.bundleIdentifier == Item.catalogue
        guard batch.isForApp == isOnPage else { throw isOnPage ? OfferCode.ofProduct : OfferCode.ofApp }
        let identifier = isOnPage ? request.productIdentifier : batch.productIdentifier
        let product = try identifier.flatMap { try Catalogue.product($0, of: request.bundleIdentifier, db) }
        guard let product, product.isSold(in: account.storefront) else {
            throw DomainError(
                .notFound,
                "The product of this code isn't sold in the store of \(account.storefront.countryCode) now.")
        }
        if batch.kind != .promo, try RedeemedCode.isRedeemed(batch.offer, of: product, by: account.identifier, db) {
            throw DomainError(.codeRedeemed, "This account has redeemed a code of this offer already.")
        }
        if let refusal = code.refusal(at: db.now) { throw refusal }
        let redeemed = RedeemedCode(hash, of: batch, number: number)
        if redeemed.refusal(product: product) != nil {
            throw DomainError(.codeRevoked, "The offer of this code doesn't exist any more.")
        }
        try check(redeemed, product, for: account, db)
        request.code = redeemed
        request.productIdentifier = product.productIdentifier
    }

    /// Checks that the account may get the product with the code.
    private static func check(
        _ code: RedeemedCode, _ product: Product, for account: Account, _ db: StoreTransaction
    ) throws {
        switch try Ownership(of: product, by: account, nil, code, db) {
        case .owned: throw DomainError(.codeNotEligible, "This account owns \"\(product.productIdentifier)\" already.")
        case .subscribed(let terms):
            if let refusal = terms.refusal(of: code.eligibility(for: product)) { throw refusal }
        case .notOwned, .paymentUnderWay: break
        }
    }
}

extension SubscriptionTerms {
    /// The group of customers to which the account belongs now.
    var eligibility: Product.Offer.Eligibility {
        if isSubscribed { return .existing }
        return state == nil ? .new : .expired
    }

    /// Why a code for some customers isn't for this one; `nil` when it is. A
    /// code doesn't take a subscriber to a lower level, and doesn't replace
    /// another one that hasn't given anything yet.
    func refusal(of allowed: Set<Product.Offer.Eligibility>) -> DomainError? {
        guard allowed.contains(eligibility) else {
            let names = allowed.sorted().map(\.customers).joined(separator: " or ")
            return DomainError(
                .codeNotEligible,
                "This code is for \(names.isEmpty ? "no" : names) customers of the subscription, and this account "
                    + "is one of the \(eligibility.customers) customers.")
        }
        guard !replacesCode else {
            return DomainError(
                .codeNotEligible,
                "Another code acts at the next billing, and would be lost. Redeem this one after that.")
        }
        guard change == .choose, let state, plan.level > state.period.plan.level else { return nil }
        return DomainError(
            .codeNotEligible,
            "This code is for a lower level than that of the current subscription. Nothing was changed.")
    }

    /// Whether the offer of another code, none of whose periods has begun, is
    /// that of the product's next period. In another storefront it has no
    /// effect any more.
    private var replacesCode: Bool {
        guard !change.charges, let waiting = state?.upcomingOffer(for: product) else { return false }
        return waiting.kind == .code && waiting.number == 1 && waiting.storefront == offer?.storefront
    }
}

extension Product.Offer.Eligibility {
    fileprivate var customers: String {
        switch self {
        case .new: "new"
        case .existing: "present"
        case .expired: "former"
        }
    }
}

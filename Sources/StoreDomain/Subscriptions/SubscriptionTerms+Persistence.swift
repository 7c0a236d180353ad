// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension SubscriptionTerms {
    /// Loads the terms of a product for an account, with the promotional offer
    /// or the code of its payment; `nil` for a product that isn't an auto-renewable
    /// subscription.
    static func find(
        _ product: Product, for account: Account, _ discount: PaymentDiscount?, code: RedeemedCode? = nil,
        _ db: StoreTransaction
    ) throws -> SubscriptionTerms? {
        guard let plan = product.plan else { return nil }
        let subscription = try Subscription.find(
            group: plan.group, of: account.identifier, bundleIdentifier: product.bundleIdentifier, db)
        var terms = SubscriptionTerms(
            product, plan, subscription?.newestState, in: account.storefront, speed: account.clock.speed,
            at: account.time(at: db.now))
        if let code {
            try terms.apply(code, of: product, for: account, db)
        } else if let discount, discount.kind != .introductory {
            terms.offer = product.offer(of: discount).map {
                AppliedOffer($0, for: product, in: account.storefront)
            }
        } else if !terms.change.charges {
            terms.offer = terms.waitingOffer(in: account.storefront)
        } else {
            terms.offer = try terms.introductoryOffer(
                of: product, for: account, isAllowed: discount?.allowsIntroductoryOffer, db)
        }
        if code == nil, let discount { terms.refusal = try discount.refusal(for: account, product, db) }
        if let bonus = product.contactBonus, terms.change == .subscribe, !terms.isSubscribed,
            try !SharedContact.isGiven(by: account.identifier, bundleIdentifier: product.bundleIdentifier, db)
        {
            terms.contactBonus = bonus
        }
        return terms
    }

    /// The introductory offer that the account can begin with; `nil` without
    /// one. `isAllowed` is the seller's decision; without it, an account has the
    /// offer once.
    private func introductoryOffer(
        of product: Product, for account: Account, isAllowed: Bool? = nil, _ db: StoreTransaction
    ) throws -> AppliedOffer? {
        guard isAllowed != false, let offer = product.introductoryOffer, !isSubscribed,
            try isAllowed == true
                || !OfferUse.hasIntroductory(
                    of: plan.group, by: account.identifier, bundleIdentifier: product.bundleIdentifier, db)
        else { return nil }
        return AppliedOffer(offer, for: product, in: account.storefront)
    }

    /// Sets the offer of a code. The introductory offer comes first when the
    /// code can be redeemed together with it.
    private mutating func apply(
        _ code: RedeemedCode, of product: Product, for account: Account, _ db: StoreTransaction
    ) throws {
        offer = code.applied(to: product, in: account.storefront)
        // Also after the code was confirmed: while its payment waits, the
        // account may have subscribed, or its subscription may have ended.
        refusal = refusal(of: code.eligibility(for: product)).map { PurchaseFailure(.ineligibleForOffer, $0.message) }
        guard let offer, change.charges, code.followsIntroduction(of: product),
            var first = try introductoryOffer(of: product, for: account, db)
        else { return }
        first.following = [offer]
        self.offer = first
    }

    /// Loads the terms that a sheet shows, with the sum that is given back.
    /// Without an account they are those of a first purchase.
    static func shown(
        _ product: Product, to account: Account?, in storefront: Storefront, _ discount: PaymentDiscount?,
        code: RedeemedCode? = nil, _ db: StoreTransaction
    ) throws -> SubscriptionTerms? {
        guard let account else {
            guard let plan = product.plan else { return nil }
            let clock = AccountClock()
            var terms = SubscriptionTerms(
                product, plan, nil, in: storefront, speed: clock.speed, at: clock.time(at: db.now))
            terms.contactBonus = product.contactBonus
            let isRefused = discount?.allowsIntroductoryOffer == false
            let offer = discount.map { isRefused ? nil : product.offer(of: $0) } ?? product.introductoryOffer
            terms.offer = offer.map { AppliedOffer($0, for: product, in: storefront) }
            return terms
        }
        return try find(product, for: account, discount, code: code, db)?
            .showingGivenBack(to: account.identifier, of: account, db)
    }

    /// The terms with the sum that an upgrade gives back to a reader: the one who
    /// has paid the period.
    func showingGivenBack(
        to reader: AccountIdentifier, of account: Account, _ db: StoreTransaction
    ) throws -> SubscriptionTerms {
        guard change == .upgrade, let state,
            let upgraded = try Purchase.find(state.period.transaction, of: account.identifier, db)
        else { return self }
        var terms = self
        let unused = state.period.unusedPrice(at: moment, end: state.end)
        let part = try RefundingPurchase.proration(of: upgraded, to: unused, db)
        terms.givenBack = part?.payment.payer == reader ? part?.amount : nil
        return terms
    }
}

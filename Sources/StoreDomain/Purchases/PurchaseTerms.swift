// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// Whether an account owns a product that can be owned once, or has a
/// subscription of its group.
enum Ownership: Hashable, Sendable {
    /// It doesn't; also for a product that can be bought many times.
    case notOwned
    case owned(Purchase)
    /// The product is an auto-renewable subscription. Buying it has these
    /// terms, also for an account that has none of its group.
    case subscribed(SubscriptionTerms)
    /// Another payment for the product isn't decided yet.
    case paymentUnderWay

    /// Why the promotional offer or the code of the payment is refused to the
    /// account; `nil` when it isn't.
    var refusal: PurchaseFailure? {
        guard case .subscribed(let terms) = self else { return nil }
        return terms.refusal
    }

    /// The exchange of a contact for a longer period; `nil` without a contact.
    ///
    /// - Throws: ``DomainError`` `priceChanged` when no such period is offered.
    func exchange(for contact: SharedContact?) throws -> ContactExchange? {
        guard case .subscribed(let terms) = self else { return nil }
        return try terms.exchange(for: contact)
    }
}

/// The product of a payment, the account that pays, and the price for it.
struct PurchaseTerms: Hashable, Sendable {
    var account: Account
    var product: Product
    /// The account's purchase of the product, when it is a non-consumable
    /// that the account owns: the product is given again without a charge.
    var owned: Purchase?
    /// The terms of an auto-renewable subscription; `nil` for every other
    /// product.
    var subscription: SubscriptionTerms?
    /// The price for an account that doesn't own the product, with the offer
    /// that applies to a subscription.
    var whole: Money

    /// The consequence for the account's subscription; `nil` for a product
    /// that isn't an auto-renewable subscription.
    var change: PlanChange? { subscription?.change }
    /// Whether something is paid now.
    var charges: Bool { owned == nil && change?.charges != false }
    /// Whether more is paid than without it, now or later.
    var raisesPayments: Bool { owned == nil && subscription?.raisesPayments != false }
    var price: Money { charges ? whole : Money(milliunits: 0, currency: whole.currency) }

    /// - Throws: ``DomainError``: `underWay` while another payment for a
    ///   product that can be owned once is undecided, `invalid` when the price
    ///   is too large.
    init(of request: DeviceRequest, _ product: Product, for account: Account, _ ownership: Ownership) throws {
        self.account = account
        self.product = product
        switch ownership {
        case .notOwned: break
        case .owned(let purchase): owned = purchase
        case .subscribed(let terms): subscription = terms
        case .paymentUnderWay:
            throw DomainError(.underWay, "A payment for this is under way already: wait a moment.")
        }
        guard let whole = Self.whole(of: request, product, in: account.storefront, subscription) else {
            throw DomainError(.invalid, "The price is too large.")
        }
        self.whole = whole
    }

    /// The price of a request in a storefront, for the whole quantity, with its
    /// code or its offer; `nil` when it is too large.
    static func whole(
        of request: DeviceRequest, _ product: Product, in storefront: Storefront, _ subscription: SubscriptionTerms?
    ) -> Money? {
        if let subscription { return subscription.heading }
        let ofCode = request.code?.price(of: product, in: storefront)
        return (ofCode ?? product.price(in: storefront)).times(request.quantity)
    }
}

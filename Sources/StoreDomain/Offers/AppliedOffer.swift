// SPDX-License-Identifier: Apache-2.0

/// An offer with which a period of a subscription is bought, as the customer
/// has confirmed it. Later edits of the catalogue don't change it.
package struct AppliedOffer: Hashable, Sendable {
    package var kind: Product.Offer.Kind
    /// The name of the offer; empty for an introductory offer.
    package var identifier: String
    package var mode: Product.Offer.PaymentMode
    /// The length of a period of the offer.
    package var period: SubscriptionPeriod
    /// The number of the offer's periods.
    package var periods: Int
    /// The place of the bought period among those that are paid one by one,
    /// from 1. Periods that are free or paid up front are bought together.
    package var number = 1
    /// The price of the bought period.
    package var price: Money
    /// The price of the subscription's period without the offer.
    package var regularPrice: Money
    /// The country code of the storefront in which it was offered.
    package var storefront: String
    /// The offer that follows when this one is over, in a list of at most one:
    /// that of a code, after an introductory offer.
    package var following: [AppliedOffer] = []

    /// An offer to a customer of a storefront, from its first period.
    init(_ offer: Product.Offer, for product: Product, in storefront: Storefront) {
        kind = offer.kind
        identifier = offer.identifier
        mode = offer.mode
        period = offer.period
        periods = offer.periods
        price =
            offer.mode == .free
            ? Money(milliunits: 0, currency: storefront.currency) : product.price(of: offer, in: storefront)
        regularPrice = product.price(in: storefront)
        self.storefront = storefront.countryCode
    }

    init(
        kind: Product.Offer.Kind, identifier: String, mode: Product.Offer.PaymentMode, period: SubscriptionPeriod,
        periods: Int, number: Int, price: Money, regularPrice: Money, storefront: String
    ) {
        self.kind = kind
        self.identifier = identifier
        self.mode = mode
        self.period = period
        self.periods = periods
        self.number = number
        self.price = price
        self.regularPrice = regularPrice
        self.storefront = storefront
    }

    /// All its values in one text, by which a page's form and the terms of now
    /// are compared.
    package var summary: String {
        """
        \(kind.rawValue) \(mode.rawValue) \(period.iso8601) \(periods) \(price.milliunits) \
        \(regularPrice.milliunits) \(price.currency) \(identifier)
        """ + following.map { " then \($0.summary)" }.joined()
    }

    /// Whether the period is a free trial: of an introductory offer only.
    package var isTrial: Bool { kind == .introductory && mode == .free }

    /// Whether the period has an introductory price; a free trial has none.
    package var isPaidIntroduction: Bool { kind == .introductory && mode != .free }

    /// The name of the offer, if a code gave it; `nil` for every other kind, and
    /// for a promo code, which has no offer.
    package var codeName: String? { kind == .code && !identifier.isEmpty ? identifier : nil }

    /// The length of the bought period.
    package var length: SubscriptionPeriod {
        mode == .payAsYouGo ? period : whole
    }

    /// The length of the whole offer.
    package var whole: SubscriptionPeriod { SubscriptionPeriod(period.count * periods, period.unit) }

    /// The offer as it applies to the period after the bought one, or the one
    /// that follows it; `nil` when the bought one is the last.
    package var next: AppliedOffer? {
        guard mode == .payAsYouGo, number < periods else { return following.first }
        var next = self
        next.number += 1
        return next
    }
}

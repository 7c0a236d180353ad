// SPDX-License-Identifier: Apache-2.0

/// The terms of a purchase, or of a choice for a subscription, as the person
/// who decides is shown them.
///
/// A form has these values of the terms whose sentences the page shows, and the
/// decision compares them with those that it has brought back (``AgreedTerms``):
/// equal values are equal terms.
package struct ShownTerms: Hashable, Sendable {
    /// The price that is paid now, or from the next period on when nothing is
    /// paid now, with the offer and for the whole quantity; zero for an owned
    /// product.
    package var price: Money
    /// The consequence for the account's subscription; `nil` for a product that
    /// isn't an auto-renewable subscription.
    package var change: PlanChange?
    /// The ``AppliedOffer/summary`` of the offer; empty for none.
    package var offer: String
    /// The price of each later period, its length, and the date from which it is
    /// paid, unless that depends only on the moment of the decision; empty for a
    /// product that is paid once.
    package var then: String
    /// The length by which the first period is longer for a customer who shares a
    /// contact; empty when that isn't offered.
    package var bonus = ""
    /// Whether the product is owned already, and given again.
    package var isOwned = false

    /// The terms of a product for an account whose subscription gives
    /// `subscription`.
    init(_ price: Money, _ subscription: SubscriptionTerms?, isOwned: Bool = false) {
        self.price = isOwned ? Money(milliunits: 0, currency: price.currency) : price
        change = subscription?.change
        offer = subscription?.offer?.summary ?? ""
        then = subscription?.then ?? ""
        bonus = subscription?.contactBonus?.iso8601 ?? ""
        self.isOwned = isOwned
    }

    init(_ terms: PurchaseTerms) {
        self.init(terms.whole, terms.subscription, isOwned: terms.owned != nil)
    }

    /// The terms of a choice for a subscription.
    package init(_ terms: SubscriptionTerms) {
        self.init(terms.heading, terms)
    }

    /// The terms of a higher price, which the subscriber agrees to or refuses.
    package init(_ increase: PendingPriceIncrease) {
        price = increase.newPrice
        offer = ""
        then = """
            \(increase.oldPrice.milliunits) then \(increase.newPrice.milliunits) \(increase.newPrice.currency) \
            from \(increase.applies.milliseconds)
            """
    }
}

extension SubscriptionTerms {
    /// The price and the length of each period after the offer, and the price
    /// that a waiting increase asks for. A period that begins now has no date.
    fileprivate var then: String {
        var text = "\(firstPrice.milliunits) \(firstPrice.currency) \(plan.period.iso8601)"
        if !change.charges, let state { text += " from \(state.end.milliseconds)" }
        if let increase { text += " then \(increase.new.milliunits) from \(increase.applies.milliseconds)" }
        return text
    }
}

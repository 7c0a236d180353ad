// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The terms on which a customer would buy a product of a group now. The
/// sheet shows them, and ``Buying`` decides by them.
package struct SubscriptionTerms: Hashable, Sendable {
    package var product: ProductIdentifier
    package var plan: Product.Plan
    /// The price of a period without an offer; of the current product, the one
    /// that the subscriber keeps.
    package var price: Money
    /// The offer that applies to the period that is paid now, or to the next
    /// one when nothing is paid now; `nil` for the regular price.
    package var offer: AppliedOffer?
    /// Why the account may not use the promotional offer or the code of its
    /// payment; `nil` when it may, and without one.
    var refusal: PurchaseFailure?
    /// The consequence of buying the product.
    package var change: PlanChange
    /// The state of the account's subscription of the group; `nil` without
    /// one.
    package var state: SubscriptionState?
    /// The speed of the account's renewals.
    var speed: RenewalSpeed
    /// The account's time for which the terms hold.
    package var moment: StoreTime
    /// The unused part of the running period's price, which an upgrade gives
    /// back; `nil` when nothing is given back.
    package var givenBack: Money?
    /// The length by which the period that is paid now is longer for a
    /// customer who shares a contact with the seller; `nil` when that isn't
    /// offered. It is offered once for an account and app.
    package var contactBonus: SubscriptionPeriod?
    /// The price of a waiting increase of the current product, to which buying
    /// it agrees; `nil` without one, and for another product.
    private var increasedPrice: Money?

    /// Computes the terms from the state of the account's subscription;
    /// `offer`, `givenBack` and `contactBonus` have to be set afterwards.
    init(
        _ product: Product, _ plan: Product.Plan, _ state: SubscriptionState?, in storefront: Storefront,
        speed: RenewalSpeed, at moment: StoreTime
    ) {
        self.product = product.productIdentifier
        self.plan = plan
        price = product.price(in: storefront)
        change = .buying(product.productIdentifier, plan, state, at: moment)
        self.state = state
        self.speed = speed
        self.moment = moment
        // A subscriber keeps a price that is lower than that of now.
        if change == .keep, let state, state.period.storefront == storefront.countryCode,
            state.confirmedPrice.currency == price.currency
        {
            price.milliunits = min(price.milliunits, state.confirmedPrice.milliunits)
            if state.priceIncrease?.storefront == storefront.countryCode {
                increasedPrice = state.increasedPrice(of: product)
            }
        }
    }

    /// The terms of a choice for a subscription that an account has, with the
    /// offer that waits already.
    init(
        _ product: Product, _ plan: Product.Plan, _ state: SubscriptionState, chosenBy account: Account,
        at moment: StoreTime
    ) {
        self.init(product, plan, state, in: account.storefront, speed: account.clock.speed, at: moment)
        if !change.charges { offer = waitingOffer(in: account.storefront) }
    }

    /// A higher price of the product that waits.
    package struct Increase: Hashable, Sendable {
        package var old: Money
        package var new: Money
        /// The start of the first period at the new price.
        package var applies: StoreTime
    }

    /// The higher price to which buying the product agrees; `nil` when none
    /// waits.
    package var increase: Increase? {
        guard let new = increasedPrice, let state, new.milliunits > state.period.regularPrice.milliunits,
            let applies = state.firstIncreasedPeriod(after: offer)
        else { return nil }
        return Increase(old: state.period.regularPrice, new: new, applies: applies)
    }

    /// The price of the first period without an offer: that of the increase, if
    /// it applies then.
    package var firstPrice: Money {
        guard let increase, let start = offerEnd ?? state?.end, increase.applies <= start else { return price }
        return increase.new
    }

    /// The price that a page shows above the terms, which name it with its date:
    /// that of the offer, else the one that an increase asks for.
    package var heading: Money { offer?.price ?? increase?.new ?? price }

    /// Whether buying the product without another offer changes nothing: it is
    /// the current one, which goes on at its price.
    var changesNothing: Bool {
        guard change == .keep, let state else { return false }
        return state.renews && state.nextProduct == product && !state.awaitsConsent
    }

    /// The offer with which the product would be renewed without another one;
    /// `nil` for the regular price, and in another storefront than the offer's.
    func waitingOffer(in storefront: Storefront) -> AppliedOffer? {
        let offer = state?.upcomingOffer(for: product)
        return offer?.storefront == storefront.countryCode ? offer : nil
    }

    /// The start and the end of a period.
    package struct Dates: Hashable, Sendable {
        package var start: StoreTime
        package var end: StoreTime
    }

    /// The period that is paid now, longer by `bonus`; `nil` when nothing is
    /// paid now.
    package func paidPeriod(bonus: SubscriptionPeriod? = nil) -> Dates? {
        guard change.charges else { return nil }
        let begun = newPeriod(bonus: bonus).bought(at: moment, in: state)
        return Dates(start: begun.start, end: begun.end)
    }

    /// The end of the offer's last period, from which the regular price is
    /// charged; `nil` without an offer. An offer of a product that isn't paid
    /// now begins after the period that is paid already.
    package var offerEnd: StoreTime? {
        guard let offer else { return nil }
        let period = newPeriod(bonus: nil)
        var anchor: BillingAnchor
        if change.charges {
            anchor = period.bought(at: moment, in: state).anchor
        } else {
            guard let state else { return nil }
            anchor = period.following(state, renewals: 0).anchor
        }
        var rest = offer.next
        while let next = rest {
            anchor = anchor.advanced(by: next.length, at: speed)
            rest = next.next
        }
        return anchor.periodStart
    }

    /// A period of the product with the offer. The identifiers of its purchase
    /// have no effect on the dates.
    private func newPeriod(bonus: SubscriptionPeriod?) -> NewPeriod {
        NewPeriod(
            transaction: "", product: product, plan: plan, webOrder: "", price: price, storefront: "", speed: speed,
            bonus: bonus, offer: offer)
    }

    /// Whether the customer is a subscriber, who can't begin with an
    /// introductory offer or a longer period ("Implementing introductory offers
    /// in your app").
    var isSubscribed: Bool { state?.isSubscribed(at: moment) == true }

    /// The exchange of a contact for the bonus; `nil` without a contact.
    ///
    /// - Throws: ``DomainError`` `priceChanged` when no bonus is offered.
    func exchange(for contact: SharedContact?) throws -> ContactExchange? {
        guard let contact else { return nil }
        guard let contactBonus else {
            throw DomainError(
                .priceChanged,
                "This account can't get a longer period for its name and address again. Nothing was charged yet.")
        }
        return ContactExchange(contact: contact, bonus: contactBonus)
    }

    /// The end of the period that is paid already; `nil` when none runs.
    package var paidUntil: StoreTime? {
        guard let state, state.status(at: moment) == .active else { return nil }
        return state.end
    }
}

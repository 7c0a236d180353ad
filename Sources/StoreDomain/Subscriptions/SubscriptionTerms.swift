// SPDX-License-Identifier: Apache-2.0

/// The terms on which a customer would buy a product of a group now. The
/// sheet shows them, and ``Buying`` decides by them.
package struct SubscriptionTerms: Hashable, Sendable {
    package var product: ProductIdentifier
    package var plan: Product.Plan
    /// The price of a period.
    package var price: Money
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

    /// Computes the terms from the state of the account's subscription;
    /// `givenBack` and `contactBonus` have to be set afterwards.
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
        // The identifiers of the purchase have no effect on the dates.
        let period = NewPeriod(
            transaction: "", product: product, plan: plan, webOrder: "", price: price, storefront: "", speed: speed,
            bonus: bonus)
        let begun = period.bought(at: moment, in: state)
        return Dates(start: begun.start, end: begun.end)
    }

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

// SPDX-License-Identifier: Apache-2.0

/// The values of a period that is about to begin.
struct NewPeriod: Hashable, Sendable {
    var transaction: TransactionIdentifier
    var product: ProductIdentifier
    var plan: Product.Plan
    var webOrder: WebOrderIdentifier
    var price: Money
    /// The country code of the storefront in whose currency the price is.
    var storefront: String
    /// The account's speed now.
    var speed: RenewalSpeed
    /// The length by which the period is longer than the plan's; `nil` for
    /// most.
    var bonus: SubscriptionPeriod?
    /// The offer that sets its length; `nil` for the plan's.
    var offer: AppliedOffer?

    /// The period that a customer buys at a moment. In the grace period it
    /// follows the one before without a gap.
    func bought(at moment: StoreTime, in state: SubscriptionState?) -> SubscribedPeriod {
        if let state, state.status(at: moment) == .billingGracePeriod, state.period.product == product {
            return following(state, renewals: 0)
        }
        return begun(at: BillingAnchor(at: moment), moment, renewals: 0)
    }

    /// The period that is paid at a moment after the one before it has ended.
    /// After the grace period, or without one, it begins at that moment.
    func renewed(at moment: StoreTime, in state: SubscriptionState) -> SubscribedPeriod {
        var period = following(state, paidAt: moment)
        period.priceIncrease = state.carriedPriceIncrease(to: product, in: storefront)
        return period
    }

    private func following(_ state: SubscriptionState, paidAt moment: StoreTime) -> SubscribedPeriod {
        // A speed ends a subscription after a number of renewals at that speed.
        let renewals = state.period.speed == speed ? state.period.renewals + 1 : 1
        if state.failure != nil, state.status(at: moment) != .billingGracePeriod {
            return begun(at: BillingAnchor(at: moment), moment, renewals: renewals)
        }
        return following(state, renewals: renewals)
    }

    /// The period after the newest one, without a gap.
    func following(_ state: SubscriptionState, renewals: Int) -> SubscribedPeriod {
        let wasExtended = state.end != state.period.end
        let anchor = wasExtended ? BillingAnchor(at: state.end) : state.period.anchor
        return begun(at: anchor, state.end, renewals: renewals)
    }

    private func begun(at anchor: BillingAnchor, _ start: StoreTime, renewals: Int) -> SubscribedPeriod {
        var next = anchor.advanced(by: offer?.length ?? plan.period, at: speed)
        if let bonus { next = next.advanced(by: bonus, at: speed) }
        return SubscribedPeriod(
            transaction: transaction, product: product, plan: plan, start: start, end: next.periodStart, anchor: next,
            speed: speed, renewals: renewals, webOrder: webOrder, price: price, storefront: storefront,
            offer: offer)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The changes of a subscription by a price increase.
extension Subscription {
    /// Tells the subscriber of an increase, which replaces an earlier one.
    mutating func tell(_ increase: PriceIncrease, at moment: StoreTime) {
        events.append(SubscriptionEvent(.priceIncreaseTold, at: moment, priceIncrease: increase))
    }

    /// Ends an increase that hasn't been paid yet.
    mutating func endPriceIncrease(at moment: StoreTime) {
        guard newestState?.priceIncrease != nil else { return }
        events.append(SubscriptionEvent(.priceIncreaseEnded, at: moment))
    }

    /// Records that the subscriber agrees. A renewal that was turned off
    /// because of the increase is turned on. If the subscriber was shown a lower
    /// `price` than that of the increase, nothing above it is agreed to.
    mutating func agreeToPriceIncrease(at moment: StoreTime, to price: Money? = nil) {
        guard let state = newestState, let increase = state.priceIncrease else { return }
        if !state.renews, state.turnedOff == .priceIncrease {
            events.append(SubscriptionEvent(.renewalTurnedOn, at: moment))
        }
        guard increase.isUndecided else { return }
        var lower: PriceIncrease?
        if let price, price.currency == increase.price.currency, price.milliunits < increase.price.milliunits {
            lower = increase
            lower?.price = price
        }
        events.append(SubscriptionEvent(.priceIncreaseAgreed, at: moment, priceIncrease: lower))
    }

    /// Goes on with the product of the next period: turns the renewal on, and
    /// agrees to a waiting increase of that product, of which the subscriber is
    /// shown `price`. An increase of another product isn't shown with it.
    mutating func goOn(at moment: StoreTime, agreeingTo price: Money?) {
        guard let state = newestState else { return }
        if !state.renews { events.append(SubscriptionEvent(.renewalTurnedOn, at: moment)) }
        if state.nextProduct == state.period.product { agreeToPriceIncrease(at: moment, to: price) }
    }
}

extension SubscriptionEvent {
    /// Whether the customer's devices have to learn of it, because the
    /// increase that waits has changed.
    var changesPriceIncrease: Bool {
        switch kind {
        case .priceIncreaseTold, .priceIncreaseAgreed, .priceIncreaseEnded: true
        case .renewalTurnedOff: reason == .priceIncrease
        default: false
        }
    }
}

extension SubscriptionState {
    /// The moment from which an increase applies, of which the subscriber is
    /// informed now, after a notice that ends at `notice`.
    ///
    /// A renewal that is charged already, or whose charge is retried, is of
    /// the price before: the increase waits for the one after it. `isPaying`
    /// is whether a payment for the subscription is under way.
    func application(after notice: StoreTime, isPaying: Bool) -> StoreTime {
        guard isPaying || isPrepared || failure != nil else { return notice }
        return max(notice, StoreTime(milliseconds: end.milliseconds + 1))
    }
}

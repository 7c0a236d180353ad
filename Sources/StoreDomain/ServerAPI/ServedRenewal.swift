// SPDX-License-Identifier: Apache-2.0

/// The renewal of a subscription for a seller's server:
/// `JWSRenewalInfoDecodedPayload` of the App Store Server API.
package struct ServedRenewal: Hashable, Sendable {
    /// The transaction of the newest period.
    package var purchase: Purchase
    package var nextProduct: ProductIdentifier
    package var renews: Bool
    /// Why the subscription ended, or its period wasn't renewed; `nil` while
    /// the period runs.
    package var reason: ExpirationReason?
    package var isRetried: Bool
    /// The end of the grace period, while it runs.
    package var graceEnd: StoreTime?
    /// The higher price of which the customer was informed; `nil` without one.
    package var priceIncrease: PriceIncrease?
    /// The offer of the next period; `nil` for the regular price.
    package var offer: AppliedOffer?
    /// The price of the next period; `nil` without a renewal. That of a product
    /// that was chosen is its price at the time of the choice.
    package var price: Money?
    /// The end of the newest period, also without a renewal.
    package var date: StoreTime
    /// The start of the newest periods without a long gap.
    package var started: StoreTime
    /// The identifiers of the win-back offers that the customer may use, the
    /// best first.
    package var winBackOffers: [String] = []

    /// Decides about the renewal at a moment of the account's time.
    init(_ purchase: Purchase, _ state: SubscriptionState, started: StoreTime, at moment: StoreTime) {
        let status = state.servedStatus(at: moment)
        self.purchase = purchase
        self.started = started
        date = state.end
        nextProduct = state.nextProduct
        reason = state.expirationReason(at: moment)
        renews = state.renews && (status != .expired || reason == nil)
        isRetried = status == .billingRetry || status == .billingGracePeriod
        graceEnd = status == .billingGracePeriod ? state.failure?.graceEnd : nil
        if reason == nil || isRetried { priceIncrease = state.priceIncrease }
        guard renews else { return }
        offer = state.nextOffer
        let chosen = state.chosenPrice.map { Money(milliunits: $0.milliunits, currency: $0.currency) }
        let regular = state.nextProduct == state.period.product ? state.confirmedPrice : chosen
        price = offer?.price ?? regular
    }
}

extension SubscriptionState {
    /// The status as a seller's server gets it. A period whose renewal is due
    /// and not decided yet is active: Apple charges before the end, and a
    /// server must not end a service that goes on.
    func servedStatus(at moment: StoreTime) -> Status {
        let status = status(at: moment)
        return status == .expired && expirationReason(at: moment) == nil ? .active : status
    }
}

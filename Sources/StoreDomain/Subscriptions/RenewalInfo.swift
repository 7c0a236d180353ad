// SPDX-License-Identifier: Apache-2.0

/// The renewal of a subscription, for a seller's server: an entry of
/// `pending_renewal_info` in the answer of `/verifyReceipt`.
package struct RenewalInfo: Hashable, Sendable {
    /// The first transaction of the subscription.
    package var original: OriginalTransactionIdentifier
    /// The product of the newest period.
    package var product: ProductIdentifier
    /// The product of the next period.
    package var nextProduct: ProductIdentifier
    /// Whether the subscription renews itself.
    package var renews: Bool
    /// Why the subscription ended, or its period wasn't renewed; `nil` while
    /// the period runs.
    package var reason: ExpirationReason?
    /// Whether the store retries a charge that failed.
    package var isRetried: Bool
    /// The end of the grace period of the newest period, also after that end;
    /// `nil` without one.
    package var graceEnd: StoreTime?
    /// The identifier of the promotional offer of the next period; `nil`
    /// without one, and when the subscription doesn't renew.
    package var promotionalOffer: String?
    /// The higher price of which the customer was informed, and that no period has
    /// been paid at; `nil` without one, and when the subscription has ended.
    package var priceIncrease: PriceIncrease?
    /// The name of the code offer of the next period; `nil` as that of a
    /// promotional offer.
    package var offerCodeName: String?

    package init(
        original: OriginalTransactionIdentifier, product: ProductIdentifier, nextProduct: ProductIdentifier,
        renews: Bool, reason: ExpirationReason?, isRetried: Bool, graceEnd: StoreTime?
    ) {
        self.original = original
        self.product = product
        self.nextProduct = nextProduct
        self.renews = renews
        self.reason = reason
        self.isRetried = isRetried
        self.graceEnd = graceEnd
    }

    /// Decides about the entry of a subscription at a moment of its account's
    /// time. It is `nil` when the customer has turned the renewal off while a
    /// charge was retried: Apple drops the entry then.
    init?(_ original: OriginalTransactionIdentifier, _ state: SubscriptionState, at moment: StoreTime) {
        guard state.expired != .turnedOff || state.pastFailure == nil else { return nil }
        let status = state.status(at: moment)
        let reason = state.expirationReason(at: moment)
        self.init(
            original: original, product: state.period.product, nextProduct: state.nextProduct,
            renews: state.renews && (status != .expired || reason == nil), reason: reason,
            isRetried: status == .billingRetry || status == .billingGracePeriod,
            graceEnd: (state.failure ?? state.pastFailure)?.graceEnd)
        if reason == nil || isRetried { priceIncrease = state.priceIncrease }
        if renews, let offer = state.nextOffer, offer.kind == .promotional { promotionalOffer = offer.identifier }
        if renews { offerCodeName = state.nextOffer?.codeName }
    }
}

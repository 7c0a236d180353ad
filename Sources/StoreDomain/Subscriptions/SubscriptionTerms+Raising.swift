// SPDX-License-Identifier: Apache-2.0

import StoreCore

extension SubscriptionTerms {
    /// The error for a choice of a product that isn't sold to the account.
    static func unsold(_ product: ProductIdentifier) -> DomainError {
        DomainError(.invalid, "\"\(product)\" isn't sold to this account.", reason: .product)
    }

    /// Whether more is paid than without the choice, now or later.
    ///
    /// Nothing more is paid when the subscription goes on as it does already, or
    /// when each period is as long as the current one and costs no more. A
    /// period of another length counts as dearer: the two can't be compared.
    var raisesPayments: Bool {
        guard !change.charges, let state, state.renews, !state.awaitsConsent else { return true }
        if state.nextProduct == product, offer == state.upcomingOffer(for: product) { return false }
        guard state.nextProduct == state.period.product, state.nextOffer == nil else { return true }
        let offers = [offer].compactMap(\.self) + (offer?.following ?? [])
        let paid = offers.filter { $0.mode != .free }.map {
            (price: $0.price, period: $0.mode == .payAsYouGo ? $0.period : $0.whole)
        }
        return (paid + [(price: firstPrice, period: plan.period)]).contains { !state.covers($0.price, each: $0.period) }
    }
}

extension SubscriptionState {
    /// Whether the subscriber pays as much already for each such period.
    fileprivate func covers(_ price: Money, each length: SubscriptionPeriod) -> Bool {
        length == period.plan.period && price.currency == confirmedPrice.currency
            && price.milliunits <= confirmedPrice.milliunits
    }
}

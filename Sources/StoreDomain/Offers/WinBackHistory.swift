// SPDX-License-Identifier: Apache-2.0

/// The history of an account in a subscription group, as far as win-back offers
/// depend on it.
struct WinBackHistory: Hashable, Sendable {
    /// The state of the account's own subscription; `nil` without one.
    var state: SubscriptionState?
    /// The days for which the customer has paid.
    var paidDays = 0
    /// When the customer has last used a win-back offer of the group; `nil`
    /// without one.
    var lastOffer: StoreTime?

    init(state: SubscriptionState?, events: [SubscriptionEvent], lastOffer: StoreTime?) {
        self.state = state
        self.lastOffer = lastOffer
        let refunded = Set(events.filter { $0.kind == .refunded }.compactMap(\.transaction))
        for period in events.compactMap(\.period)
        where period.price.milliunits > 0 && !refunded.contains(period.transaction) {
            paidDays += (period.offer?.length ?? period.plan.period).approximateDays
        }
    }

    /// Why a win-back offer of a product is refused at a moment; `nil` when it
    /// isn't.
    ///
    /// The months count where time is real. A sandbox account with faster
    /// renewals may use an offer as soon as its subscription has ended, as in
    /// Apple's sandbox.
    func refusal(of offer: Product.Offer, for product: ProductIdentifier, at moment: StoreTime) -> String? {
        guard let state else {
            return "is for former subscribers, and this account has had no subscription of the group"
        }
        if let reason = Self.reason(against: state, at: moment) { return "is for former subscribers, and \(reason)" }
        guard state.period.product == product else {
            return "is for former subscribers of \"\(product)\", and this account had \"\(state.period.product)\" last"
        }
        guard offer.isEligible else { return "is switched off in the configuration file (isEligible)" }
        guard let conditions = offer.conditions, state.period.speed == .realTime else { return nil }
        guard paidDays >= conditions.paidMonths * SubscriptionPeriod.daysOfMonth else {
            return "is for customers who have paid for \(conditions.paidMonths) months or more"
        }
        let range = "\(conditions.leastLapsedMonths) to \(conditions.mostLapsedMonths)"
        guard moment >= state.end.adding(months: conditions.leastLapsedMonths),
            moment < state.end.adding(months: conditions.mostLapsedMonths + 1)
        else { return "is for customers whose subscription has ended \(range) months ago" }
        if let wait = conditions.waitMonths, let lastOffer, moment < lastOffer.adding(months: wait) {
            return "can be used again \(wait) months after the last win-back offer"
        }
        return nil
    }

    /// The win-back offers of a product that the account may use at a moment,
    /// those of high priority first, and otherwise in the product's order.
    func offers(of product: Product, at moment: StoreTime) -> [Product.Offer] {
        let offers = product.offers.filter {
            $0.kind == .winBack && refusal(of: $0, for: product.productIdentifier, at: moment) == nil
        }
        return offers.filter { $0.priority == .high } + offers.filter { $0.priority != .high }
    }

    /// Why the account isn't a former subscriber at a moment; `nil` when it
    /// is.
    private static func reason(against state: SubscriptionState, at moment: StoreTime) -> String? {
        switch state.status(at: moment) {
        case .billingRetry, .billingGracePeriod: "the charge of this account's subscription is being retried"
        case .revoked: "the price of this account's last period was given back"
        case .active, .expired:
            state.isSubscribed(at: moment) ? "the subscription of this account hasn't ended" : nil
        }
    }
}

extension SubscriptionPeriod {
    /// The days that count as a month of paid service.
    static let daysOfMonth = 28

    /// The length in days, in which a month has 28: every calendar month is at
    /// least as long, so that twelve paid months are always twelve.
    fileprivate var approximateDays: Int {
        let length = calendarLength
        return length.months * Self.daysOfMonth + length.days
    }
}

extension StoreTime {
    fileprivate func adding(months: Int) -> StoreTime {
        BillingCalendar.date(adding: SubscriptionPeriod(months, .month), times: 1, to: self)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The state of a subscription, computed from its events.
package struct SubscriptionState: Hashable, Sendable {
    /// A charge that failed, until the subscription is recovered or ends.
    package struct BillingFailure: Hashable, Sendable {
        /// The end of the grace period, in which the customer keeps the
        /// service; `nil` without one.
        package var graceEnd: StoreTime?
        /// Whether the end of the grace period is recorded.
        var isGraceOver = false
        /// The moment of the newest declined charge.
        var lastAttempt: StoreTime
    }

    /// The newest period.
    package private(set) var period: SubscribedPeriod
    /// The end of the newest period, also when it was extended.
    package private(set) var end: StoreTime
    /// Whether the subscription renews itself.
    package private(set) var renews = true
    /// Why the renewal is off; `nil` while it is on, and when another reason
    /// has ended the subscription.
    package private(set) var turnedOff: ExpirationReason?
    /// The product of the next period.
    package private(set) var nextProduct: ProductIdentifier
    /// The price of the product of the next period when it was chosen; `nil`
    /// when no product was chosen.
    private(set) var chosenPrice: ChosenPrice?
    /// The offers with which products would be renewed: the rest of the
    /// current product's offer, and those that the customer has chosen. They
    /// stay while another product is chosen: a code can't be redeemed again.
    private var upcomingOffers: [ProductIdentifier: AppliedOffer] = [:]
    /// The higher price of which the customer was informed, until a period is
    /// paid at it.
    package private(set) var priceIncrease: PriceIncrease?
    /// `nil` as long as no renewal has failed.
    package private(set) var failure: BillingFailure?
    /// The charge that had failed when the subscription ended; `nil` when none
    /// had.
    package private(set) var pastFailure: BillingFailure?
    /// The payment that is authorised for the next period.
    package private(set) var authorised: PaymentIdentifier?
    /// Whether a charge before the period's end isn't needed any more: the
    /// amount is authorised, nothing is to be paid, or it was declined.
    private(set) var isPrepared = false
    /// Why the subscription ended; `nil` as long as its end isn't recorded.
    package private(set) var expired: ExpirationReason?
    /// Whether the price of the newest period was given back.
    package private(set) var isRevoked = false
    /// Whether the subscription renewed itself before its refund, and why it
    /// didn't; `nil` without a refund.
    private var beforeRefund: Renewal?

    private struct Renewal: Hashable, Sendable {
        var renews: Bool
        var turnedOff: ExpirationReason?
    }

    /// Computes the state after events, of which the first that has a period
    /// is the first that counts; `nil` when none has a period.
    init?(after events: [SubscriptionEvent]) {
        guard let first = events.firstIndex(where: { $0.period != nil }), let period = events[first].period else {
            return nil
        }
        self.init(of: period)
        for event in events[(first + 1)...] { apply(event) }
    }

    /// The state at the beginning of a period.
    private init(of period: SubscribedPeriod) {
        self.period = period
        end = period.end
        nextProduct = period.product
        upcomingOffers[period.product] = period.offer?.next
        priceIncrease = period.priceIncrease
    }

    private mutating func apply(_ event: SubscriptionEvent) {
        switch event.kind {
        case .subscribed, .renewed, .recovered, .upgraded: if let period = event.period { begin(period, event.kind) }
        case .planChosen:
            nextProduct = event.product ?? nextProduct
            chosenPrice = event.chosenPrice
            chargeAgain()
        case .offerChosen:
            upcomingOffers[nextProduct] = event.offer
            chargeAgain()
        case .renewalTurnedOff: turnOff(because: event.reason ?? .turnedOff)
        case .renewalTurnedOn:
            renews = true
            turnedOff = nil
        case .authorised:
            authorised = event.payment
            isPrepared = true
        case .chargeFailed:
            authorised = nil
            isPrepared = true
            failure?.lastAttempt = event.at
        case .billingFailed:
            authorised = nil
            failure = BillingFailure(graceEnd: event.until, lastAttempt: event.at)
        case .graceEnded: failure?.isGraceOver = true
        case .expired: end(because: event.reason ?? .other)
        case .refunded: refund(event.transaction)
        case .refundReversed: reverseRefund(of: event.transaction, at: event.at)
        case .extended: extend(until: event.until)
        case .priceIncreaseTold: priceIncrease = event.priceIncrease
        case .priceIncreaseAgreed:
            priceIncrease = event.priceIncrease ?? priceIncrease
            priceIncrease?.isAgreed = true
        case .priceIncreaseEnded: priceIncrease = nil
        }
    }

    private mutating func refund(_ transaction: TransactionIdentifier?) {
        guard transaction == period.transaction else { return }
        beforeRefund = Renewal(renews: renews, turnedOff: turnedOff)
        isRevoked = true
        renews = false
        authorised = nil
    }

    /// The period is as it was before the refund. The renewal of a period that
    /// is over stays off: the customer had no service to renew.
    private mutating func reverseRefund(of transaction: TransactionIdentifier?, at moment: StoreTime) {
        guard isRevoked, transaction == period.transaction else { return }
        isRevoked = false
        let before = beforeRefund
        beforeRefund = nil
        renews = moment < end && before?.renews == true
        turnedOff = moment < end ? before?.turnedOff : .other
        chargeAgain()
    }

    /// A refused price is agreed to when the renewal is turned on again.
    private mutating func turnOff(because reason: ExpirationReason) {
        renews = false
        turnedOff = reason
        if reason == .priceIncrease { priceIncrease?.isAgreed = false }
        chargeAgain()
    }

    /// Moves the period's end. The next period is charged before a later end.
    /// It follows an earlier end immediately, paid by the authorised amount.
    private mutating func extend(until moment: StoreTime?) {
        let before = end
        end = moment ?? end
        guard end > before else { return }
        chargeAgain()
    }

    /// The next period is another one, whose amount isn't authorised.
    private mutating func chargeAgain() {
        authorised = nil
        isPrepared = false
    }

    private mutating func begin(_ period: SubscribedPeriod, _ kind: SubscriptionEvent.Kind) {
        let before = self
        self = SubscriptionState(of: period)
        // A renewal that was charged before it was turned off leaves it off.
        guard kind == .renewed || kind == .recovered else { return }
        renews = before.renews
        turnedOff = before.turnedOff
    }

    private mutating func end(because reason: ExpirationReason) {
        expired = reason
        renews = false
        pastFailure = failure
        failure = nil
        authorised = nil
        priceIncrease = nil
    }
}

extension SubscriptionState {
    /// The five states of a subscription, with the numbers of `status` in the
    /// App Store Server API.
    package enum Status: Int, Sendable {
        case active = 1
        case expired = 2
        case billingRetry = 3
        case billingGracePeriod = 4
        case revoked = 5
    }

    /// The status at a moment that isn't before the events, but for the
    /// difference between the clocks of two nodes: one may have recorded the
    /// end that the other one's clock hasn't reached.
    package func status(at moment: StoreTime) -> Status {
        if isRevoked { return .revoked }
        if expired != nil { return .expired }
        if moment < end { return .active }
        // A renewal that is due and not made yet leaves a gap.
        guard let failure, moment < retryEnd else { return .expired }
        if let graceEnd = failure.graceEnd, moment < graceEnd { return .billingGracePeriod }
        return .billingRetry
    }

    /// The offer of the next period, if it is one of `nextProduct`; `nil` for
    /// the regular price.
    package var nextOffer: AppliedOffer? { upcomingOffers[nextProduct] }

    /// The offer with which a product would be renewed: the chosen one, or the
    /// rest of the current product's offer, also after another product was
    /// chosen.
    func upcomingOffer(for product: ProductIdentifier) -> AppliedOffer? { upcomingOffers[product] }

    /// The last moment at which a failed charge is retried.
    package var retryEnd: StoreTime { period.speed.retryEnd(after: end) }

    /// Whether the store retries the charge.
    package var isInRetry: Bool { failure != nil && expired == nil && !isRevoked }

    /// Why the subscription ended or is about to; `nil` while it is paid for.
    package func expirationReason(at moment: StoreTime) -> ExpirationReason? {
        if let expired, moment >= end { return expired }
        if failure != nil { return .billingError }
        guard moment >= end else { return nil }
        if renews { return lacksConsent ? .priceIncrease : nil }
        return turnedOff ?? .turnedOff
    }
}

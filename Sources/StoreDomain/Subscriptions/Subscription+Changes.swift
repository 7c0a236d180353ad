// SPDX-License-Identifier: Apache-2.0

/// The changes of a subscription: each is decided from the events so far, and
/// appends the events that follow.
extension Subscription {
    /// Begins a period that a customer has bought.
    mutating func buy(_ period: NewPeriod, at moment: StoreTime) -> SubscribedPeriod {
        let state = newestState
        let begun = period.bought(at: moment, in: state)
        let recovers = state?.isInRetry == true && state?.period.product == period.product
        // A period runs also when the customer has bought before a renewal
        // that was due, and the provider has answered after it: the new period
        // replaces the running one of any level.
        let replaces = state?.status(at: moment) == .active
        let kind: SubscriptionEvent.Kind = replaces ? .upgraded : recovers ? .recovered : .subscribed
        events.append(SubscriptionEvent(kind, at: max(moment, begun.start), period: begun))
        if kind == .recovered, state?.renews == false {
            events.append(SubscriptionEvent(.renewalTurnedOn, at: moment))
        }
        return begun
    }

    /// Begins a period that is paid without the customer's action.
    mutating func renew(_ period: NewPeriod, at moment: StoreTime) -> SubscribedPeriod? {
        guard let state = newestState, state.expired == nil, !state.isRevoked else { return nil }
        let begun = period.renewed(at: moment, in: state)
        guard state.failure != nil else {
            // Dated by its period: the provider's answer may have come later.
            events.append(SubscriptionEvent(.renewed, at: begun.start, period: begun))
            return begun
        }
        events.append(SubscriptionEvent(.recovered, at: max(moment, begun.start), period: begun))
        return begun
    }

    /// Chooses the product and the offer of the next period, turns the renewal
    /// on, and agrees to a waiting increase of that product. `chosen` is the
    /// product's price now, `price` that of the increase as the subscriber is
    /// shown it.
    mutating func choose(
        _ product: ProductIdentifier, for chosen: ChosenPrice, with offer: AppliedOffer? = nil, at moment: StoreTime,
        agreeingTo price: Money?
    ) {
        guard let state = newestState else { return }
        if state.nextProduct != product {
            var event = SubscriptionEvent(.planChosen, at: moment, product: product)
            event.chosenPrice = chosen
            events.append(event)
        }
        if let offer, newestState?.nextOffer != offer {
            events.append(SubscriptionEvent(.offerChosen, at: moment, offer: offer))
        }
        goOn(at: moment, agreeingTo: price)
    }

    /// Turns the renewal on or off. Turning it off while the store retries a
    /// charge ends the subscription immediately. `price` is that of a waiting
    /// increase as the subscriber is shown it.
    mutating func setRenewal(
        _ renews: Bool, at moment: StoreTime, because reason: ExpirationReason = .turnedOff,
        agreeingTo price: Money? = nil
    ) {
        guard let state = newestState, state.expired == nil, !state.isRevoked, state.renews != renews else { return }
        if renews {
            if moment < state.end { goOn(at: moment, agreeingTo: price) }
            return
        }
        events.append(SubscriptionEvent(.renewalTurnedOff, at: moment, reason: reason))
        if state.isInRetry { events.append(SubscriptionEvent(.expired, at: moment, reason: reason)) }
    }

    /// Records that the amount of the next period is authorised, or that
    /// nothing is to be paid for it.
    mutating func authorise(_ payment: PaymentIdentifier?, at moment: StoreTime) {
        events.append(SubscriptionEvent(.authorised, at: moment, payment: payment))
    }

    /// Records that a charge wasn't paid at a moment. The first one after the
    /// period's end begins the retry, and the grace period of `graceDays`, at
    /// that end: the provider's answer may have come later.
    mutating func fail(_ payment: PaymentIdentifier?, at moment: StoreTime, graceDays: Int) {
        guard let state = newestState, state.renews, state.expired == nil, !state.isRevoked else { return }
        guard moment >= state.end, state.failure == nil else {
            events.append(SubscriptionEvent(.chargeFailed, at: moment, payment: payment))
            return
        }
        let speed = state.period.speed
        let length = speed.gracePeriod(days: graceDays, period: state.period.plan.period)
        let grace = graceDays > 0 ? length.end(after: state.end) : nil
        events.append(SubscriptionEvent(.billingFailed, at: state.end, payment: payment, until: grace))
    }

    /// Carries out a step that collects nothing.
    mutating func carryOut(_ due: SubscriptionState.Due) {
        switch due.step {
        case .endGrace: events.append(SubscriptionEvent(.graceEnded, at: due.at))
        case .expire(let reason): events.append(SubscriptionEvent(.expired, at: due.at, reason: reason))
        case .authorise, .renew, .retry: break
        }
    }

    /// Ends a subscription whose product isn't sold any more where the
    /// customer is: at the period's end, or now while the charge is retried.
    mutating func endUnsold(_ due: SubscriptionState.Due) {
        guard due.step != .authorise else { return authorise(nil, at: due.at) }
        events.append(SubscriptionEvent(.expired, at: due.at, reason: .productUnavailable))
    }

    /// Records that the price of a period was given back.
    mutating func refund(_ transaction: TransactionIdentifier, at moment: StoreTime) {
        events.append(SubscriptionEvent(.refunded, at: moment, transaction: transaction))
    }

    /// Records that the refund of a period was taken back. A subscription whose
    /// newest period is over ends with it.
    mutating func reverseRefund(of transaction: TransactionIdentifier, at moment: StoreTime) {
        events.append(SubscriptionEvent(.refundReversed, at: moment, transaction: transaction))
        guard let state = newestState, state.period.transaction == transaction, let due = state.next,
            case .expire = due.step, due.at <= moment
        else { return }
        carryOut(due)
    }

    /// Moves the end of the running period.
    mutating func extend(to end: StoreTime, by order: RenewalExtension, at moment: StoreTime) {
        guard let state = newestState else { return }
        events.append(
            SubscriptionEvent(
                .extended, at: moment, transaction: state.period.transaction, until: end, renewalExtension: order))
    }
}

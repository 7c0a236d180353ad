// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension RenewingSubscriptions {
    /// The result of a step's first transaction.
    enum Begun: Sendable {
        /// Nothing is due, or another step of the account is being paid.
        case nothing
        /// The step is saved. The payment, if there is one, has to be captured.
        case carriedOut(Payment?)
        /// The payment is reserved, and has to be authorised.
        case charge(Payment)
    }

    /// Begins the first of an account's steps that are due: decides on the
    /// state under the account's lock, and saves the part that needs no answer
    /// of the payment provider.
    static func begin(
        _ attempt: Buying.Attempt, of account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> Begun {
        // The closure runs again after a commit whose answer was lost.
        if let payment = try Payment.find(attempt.number, of: account, db) { return .charge(payment) }
        guard var subscription = try Subscription.firstDue(of: account, db), let due = subscription.nextDue,
            let state = subscription.newestState
        else { return .nothing }
        let subscriber = try Account.findOpen(account, db)
        let clock = try subscriber?.clock ?? AccountClock.of(account, db)
        guard due.at <= clock.time(at: db.now) else {
            // The clock was moved meanwhile.
            try subscription.save(clock, db)
            return .nothing
        }
        if try subscription.endNeedlessIncrease(at: due.at, db) {
            try subscription.save(clock, db)
            return .carriedOut(nil)
        }
        guard due.step.charges else {
            subscription.carryOut(due)
            try Subscription.release(state.authorised, of: account, db)
            try subscription.save(clock, db)
            return .carriedOut(nil)
        }
        if due.step == .renew, let number = state.authorised {
            // An upgrade whose payment is pending doesn't change that.
            return try renew(&subscription, of: subscriber, state, paidBy: number, at: due.at, as: attempt, clock, db)
        }
        let payer = try Payer.find(renewing: subscription, for: subscriber, db)
        guard subscription.payment == nil else {
            // The provider hasn't answered until the period's end.
            try fail(&subscription, of: payer, at: due.at, clock, db)
            return .carriedOut(nil)
        }
        return try charge(&subscription, of: subscriber, by: payer, due, attempt, clock, db)
    }

    /// Begins the next period, whose amount is authorised. The subscription
    /// ends if its product isn't sold there any more. If the catalogue has
    /// changed the price since, or the payer may not be charged any more, the
    /// amount is released, and the period is decided about anew.
    static func renew(
        _ subscription: inout Subscription, of subscriber: Account?, _ state: SubscriptionState,
        paidBy number: PaymentIdentifier, at moment: StoreTime, as attempt: Buying.Attempt, _ clock: AccountClock,
        _ db: StoreTransaction
    ) throws -> Begun {
        let found = try Payment.find(number, of: subscription.account, db)
        let terms = try found.flatMap { try RenewalTerms.find(after: state, of: subscription, paidBy: $0, db) }
        let due = SubscriptionState.Due(step: .renew, at: moment)
        let payer = try Payer.find(renewing: subscription, for: subscriber, db)
        if let found, let terms, terms.price != found.amount || !payer.charges(found.payer) {
            try Subscription.release(number, of: subscription.account, db)
            guard subscription.payment == nil else {
                try fail(&subscription, of: payer, at: moment, clock, db)
                return .carriedOut(nil)
            }
            return try charge(&subscription, of: subscriber, by: payer, due, attempt, clock, db)
        }
        if found != nil, terms == nil {
            try Subscription.release(number, of: subscription.account, db)
            subscription.endUnsold(due)
            try subscription.save(clock, db)
            return .carriedOut(nil)
        }
        guard var payment = found, let terms, try payment.move(from: .authorised, to: .committed, db) else {
            // The provider has ended the authorisation.
            try fail(&subscription, of: payer, at: moment, clock, db)
            return .carriedOut(nil)
        }
        payment.status = .committed
        try Buying.begin(&subscription, terms, at: moment, paidBy: payment, as: attempt.identifier, clock, db)
        return .carriedOut(payment)
    }

    /// Begins the charge of a step. The subscription ends with its period if
    /// the account that has agreed to pay the next one has left: another account
    /// has to agree first, by buying it again. `subscriber` is `nil` for a closed
    /// account.
    static func charge(
        _ subscription: inout Subscription, of subscriber: Account?, by payer: Payer, _ due: SubscriptionState.Due,
        _ attempt: Buying.Attempt, _ clock: AccountClock, _ db: StoreTransaction
    ) throws -> Begun {
        guard let state = subscription.newestState else { return .nothing }
        guard let account = subscriber, payer != .hasLeft else {
            try fail(&subscription, of: .hasLeft, at: due.at, clock, db)
            return .carriedOut(nil)
        }
        guard !account.endsUnsold(at: db.now),
            let terms = try RenewalTerms.find(after: state, of: subscription, in: account.storefront, db)
        else {
            subscription.endUnsold(due)
            try subscription.save(clock, db)
            return .carriedOut(nil)
        }
        guard case .pays(let charged) = payer else {
            try fail(&subscription, of: payer, at: due.at, clock, db)
            return .carriedOut(nil)
        }
        return try pay(terms, by: charged, of: account, for: &subscription, due, attempt, clock, db)
    }

    /// Records the payment of a step, or begins a period that costs nothing.
    private static func pay(
        _ terms: RenewalTerms, by payer: Account, of account: Account, for subscription: inout Subscription,
        _ due: SubscriptionState.Due, _ attempt: Buying.Attempt, _ clock: AccountClock, _ db: StoreTransaction
    ) throws -> Begun {
        var payment = Payment(
            number: attempt.number, purpose: .renewal(of: subscription.original), account: account.identifier,
            payer: payer.identifier, amount: terms.price, storefront: account.storefront.countryCode,
            status: .reserved)
        payment.due = due.at
        if terms.price.milliunits > 0 {
            do {
                payment.method = try PaymentMethod.charging(payment.payer, for: account, db)
            } catch let error as DomainError where error.code == .declined {
                try fail(&subscription, of: .pays(payer), at: due.at, clock, db)
                return .carriedOut(nil)
            }
            subscription.payment = payment.number
            try payment.insert(db)
            try subscription.save(clock, db)
            return .charge(payment)
        }
        if due.step == .authorise {
            subscription.authorise(nil, at: due.at)
            try subscription.save(clock, db)
        } else {
            try Buying.begin(&subscription, terms, at: due.at, paidBy: payment, as: attempt.identifier, clock, db)
        }
        return .carriedOut(nil)
    }

    /// Records that the next period isn't paid: its charge is retried, unless its
    /// payer has left.
    private static func fail(
        _ subscription: inout Subscription, of payer: Payer, at moment: StoreTime, _ clock: AccountClock,
        _ db: StoreTransaction
    ) throws {
        if payer == .hasLeft {
            subscription.setRenewal(false, at: moment, because: .other)
        } else {
            subscription.fail(subscription.payment, at: moment, graceDays: try subscription.graceDays(db))
        }
        try subscription.save(clock, db)
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The next action that a subscription's state requires at a moment.
package enum SubscriptionStep: Hashable, Sendable {
    /// The amount of the next period is authorised, before that period begins.
    case authorise
    /// The next period begins.
    case renew
    /// A failed charge is tried again.
    case retry
    /// The grace period ends.
    case endGrace
    /// The subscription ends.
    case expire(ExpirationReason)

    /// Whether the step collects money, so that it waits for a payment that is
    /// under way.
    var charges: Bool {
        switch self {
        case .authorise, .renew, .retry: true
        case .endGrace, .expire: false
        }
    }
}

extension SubscriptionState {
    /// A step with its moment.
    package struct Due: Hashable, Sendable {
        package var step: SubscriptionStep
        package var at: StoreTime
    }

    /// The next step; `nil` when the subscription has ended.
    package var next: Due? {
        guard expired == nil, !isRevoked else { return nil }
        if let failure { return nextInRetry(failure) }
        if let reason = reasonToEnd { return Due(step: .expire(reason), at: end) }
        let ahead = StoreTime(milliseconds: end.milliseconds - period.speed.chargeLead.milliseconds)
        if ahead < end, !isPrepared {
            return Due(step: .authorise, at: max(ahead, period.start))
        }
        return Due(step: .renew, at: end)
    }

    /// Why the subscription ends with its period; `nil` when it is to be
    /// renewed then.
    private var reasonToEnd: ExpirationReason? {
        guard renews else { return turnedOff ?? .turnedOff }
        if let limit = period.speed.renewalLimit, period.renewals >= limit { return .turnedOff }
        return lacksConsent ? .priceIncrease : nil
    }

    /// Whether the customer is a subscriber at a moment, and no former one: a
    /// period is paid, its charge is retried, or its renewal is due and not
    /// made yet. Codes, offers and promo codes depend on it.
    func isSubscribed(at moment: StoreTime) -> Bool {
        switch status(at: moment) {
        case .active, .billingRetry, .billingGracePeriod: true
        case .expired: expired == nil && reasonToEnd == nil
        case .revoked: false
        }
    }

    /// Whether the amount of the next period is to be authorised at a moment
    /// before that period, or was to be before.
    func awaitsAuthorisation(at moment: StoreTime) -> Bool {
        guard let next, next.step == .authorise else { return false }
        return next.at <= moment
    }

    /// The next step while a payment is under way: the period's end, at which
    /// the retry begins, and the ends of grace and retry.
    var nextWithoutCharge: Due? {
        guard let next, next.step.charges else { return next }
        guard let failure else { return Due(step: .renew, at: end) }
        if let graceEnd = failure.graceEnd, !failure.isGraceOver { return Due(step: .endGrace, at: graceEnd) }
        return Due(step: .expire(.billingError), at: retryEnd)
    }

    private func nextInRetry(_ failure: BillingFailure) -> Due {
        guard renews else { return Due(step: .expire(turnedOff ?? .turnedOff), at: failure.lastAttempt) }
        var due = Due(step: .expire(.billingError), at: retryEnd)
        if let retry = period.speed.retries(after: end).first(where: { $0 > failure.lastAttempt }), retry < due.at {
            due = Due(step: .retry, at: retry)
        }
        if let graceEnd = failure.graceEnd, !failure.isGraceOver, graceEnd <= due.at {
            due = Due(step: .endGrace, at: graceEnd)
        }
        return due
    }
}

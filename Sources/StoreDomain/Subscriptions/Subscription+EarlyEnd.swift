// SPDX-License-Identifier: Apache-2.0

/// Ends before their time, which a test of the sandbox asks for: the running
/// period ends now, so that paid time never overlaps.
extension Subscription {
    /// Whether a period is paid at a moment, or its renewal is due or retried.
    func isHeld(at moment: StoreTime) -> Bool { newestState?.isSubscribed(at: moment) == true }

    /// Ends the subscription at a moment, with its renewal turned off.
    mutating func expire(at moment: StoreTime) {
        guard isHeld(at: moment), let state = newestState else { return }
        endPeriod(at: moment)
        if state.renews {
            events.append(SubscriptionEvent(.renewalTurnedOff, at: moment, reason: .turnedOff))
        }
        events.append(SubscriptionEvent(.expired, at: moment, reason: .turnedOff))
    }

    /// Makes the next period due at a moment, with the renewal turned on. A
    /// price increase that waits is dropped.
    mutating func makeRenewalDue(at moment: StoreTime) {
        guard isHeld(at: moment) else { return }
        endPriceIncrease(at: moment)
        setRenewal(true, at: moment)
        endPeriod(at: moment)
    }

    private mutating func endPeriod(at moment: StoreTime) {
        guard let state = newestState, moment < state.end else { return }
        events.append(
            SubscriptionEvent(.extended, at: moment, transaction: state.period.transaction, until: moment))
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The states of a subscription at moments of its life, computed from its
/// history, from the history as it was read again, and from the events of its
/// newest period.
struct SubscriptionHistoryCheck {
    var events: [SubscriptionEvent]
    /// The history, read again.
    var again: [SubscriptionEvent]
    /// The events of the newest period.
    var tail: [SubscriptionEvent]

    /// The moments at which two ways give different states.
    var mistakes: [String] {
        let (whole, other) = (subscription(events), subscription(again))
        var mistakes = moments.filter { moment in
            let state = whole.state(at: moment)
            // Only an event changes the state, and the time alone the status.
            let newest = events.map(\.at).filter { $0 <= moment }.max()
            let before = newest.flatMap { whole.state(at: $0) }
            return state != other.state(at: moment) || state != before
                || (state?.status(at: moment) == .active) != isPaid(at: moment)
        }.map { "the state at \($0.iso8601)" }
        if let newest = events.map(\.at).max(), subscription(tail).state(at: newest) != whole.state(at: newest) {
            mistakes.append("the state after the events of the newest period")
        }
        return mistakes
    }

    private func subscription(_ events: [SubscriptionEvent]) -> Subscription {
        Subscription(original: "1", account: "1", bundleIdentifier: "1", group: "1", events: events)
    }

    /// The moments of events and of the bounds of periods, those in the middle
    /// between two of them and just before each, and one after all.
    private var moments: [StoreTime] {
        let bounds = events.compactMap(\.period).flatMap { [$0.start, $0.end] }
        let times = Set(events.map(\.at) + bounds).map(\.milliseconds).sorted()
        let between = zip(times, times.dropFirst()).flatMap { [$0 + ($1 - $0) / 2, $1 - 1] }
        let after = times.last.map { [$0 + 86_400_000] } ?? []
        return (times + between + after).map(StoreTime.init(milliseconds:))
    }

    /// Whether a moment is in time that was paid for, as the events until then
    /// say it: in the newest period of them, which an extension moves, and
    /// which a refund ends.
    private func isPaid(at moment: StoreTime) -> Bool {
        let past = events.filter { $0.at <= moment }
        guard let place = past.lastIndex(where: { $0.period != nil }), let period = past[place].period else {
            return false
        }
        let later = past[place...]
        let end = later.last { $0.kind == .extended }?.until ?? period.end
        let refund = later.last {
            ($0.kind == .refunded || $0.kind == .refundReversed) && $0.transaction == period.transaction
        }
        return moment < end && refund?.kind != .refunded
    }
}

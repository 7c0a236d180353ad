// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The paid time of a subscription, followed event by event without the
/// store's own rules. Each event that doesn't fit the ones before is a mistake.
struct PaidTime {
    /// A period with its later changes.
    struct Paid {
        var period: SubscribedPeriod
        /// The end after extensions, and after a test has ended it early.
        var end: StoreTime
        /// When the customer has changed to another product of the group.
        var upgraded: StoreTime?
        /// When its price was given back.
        var refunded: StoreTime?
        /// When the access to it ended by a refund that was taken back after a
        /// later period had begun.
        var lost: StoreTime?

        /// The end of the time that this period gave the customer. A refund
        /// ends only the rest of it.
        var paidEnd: StoreTime { [end, upgraded, refunded, lost].compactMap { $0 }.min() ?? end }
    }

    private(set) var mistakes: [String] = []
    private(set) var periods: [Paid] = []
    /// When the charge of the next period failed, and the end of the grace
    /// period.
    private var failure: (at: StoreTime, graceEnd: StoreTime?)?
    private var expired: StoreTime?

    init(_ events: [SubscriptionEvent]) {
        for event in events { apply(event) }
        for (number, one) in periods.enumerated() {
            for other in periods[..<number]
            where max(one.period.start, other.period.start) < min(one.paidEnd, other.paidEnd) {
                mistakes.append("\(one.period.transaction) and \(other.period.transaction) overlap")
            }
        }
    }

    /// Whether the history goes on.
    var isRunning: Bool { expired == nil && periods.last.map { $0.refunded == nil } ?? false }

    private mutating func expect(_ isSo: Bool, _ event: SubscriptionEvent, _ mistake: String) {
        if !isSo { mistakes.append("\(event.kind.rawValue) at \(event.at.iso8601): \(mistake)") }
    }

    private mutating func apply(_ event: SubscriptionEvent) {
        if let period = event.period { return begin(period, event) }
        guard let last = periods.last else { return expect(false, event, "there is no period") }
        switch event.kind {
        case .billingFailed:
            expect(event.at == last.end && isRunning && failure == nil, event, "the period ends at \(last.end.iso8601)")
            failure = (event.at, event.until)
        case .expired:
            expect(isRunning, event, "the subscription was over")
            expect(failure == nil ? event.at == last.end : event.at >= last.end, event, "the period goes on")
            expired = event.at
        case .refunded:
            let place = periods.firstIndex { $0.period.transaction == event.transaction }
            expect(place.map { periods[$0].refunded == nil } ?? false, event, "there is no such paid period")
            if let place { periods[place].refunded = event.at }
        case .refundReversed: reverseRefund(event)
        case .extended:
            expect(event.at < last.end && isRunning, event, "no period runs")
            periods[periods.count - 1].end = event.until ?? last.end
        default: break
        }
    }

    private mutating func reverseRefund(_ event: SubscriptionEvent) {
        guard let place = periods.firstIndex(where: { $0.period.transaction == event.transaction }),
            let refunded = periods[place].refunded
        else { return expect(false, event, "there is no such refunded period") }
        if place < periods.count - 1 {
            expect(
                periods[place].end <= event.at || periods[place].upgraded != nil
                    || periods[place + 1].period.start
                        >= periods[place].end,
                event, "a later period runs in its time")
            periods[place].lost = refunded
        }
        periods[place].refunded = nil
    }

    private mutating func begin(_ period: SubscribedPeriod, _ event: SubscriptionEvent) {
        if let last = periods.last {
            expectSuccession(period, event, after: last)
            if event.kind == .upgraded { periods[periods.count - 1].upgraded = event.at }
            let before = periods[periods.count - 1].paidEnd
            // A gap begins with a charge that failed, with an expiry or with a refund, and with nothing else.
            let cause = failure?.at == last.end || expired == last.end || last.refunded != nil
            expect(period.start <= before || cause, event, "nothing has ended the paid time at \(before.iso8601)")
        } else {
            expect(event.kind == .subscribed && period.start == event.at, event, "a history begins with a purchase")
        }
        expect(period.start < period.end, event, "the period is empty")
        periods.append(Paid(period: period, end: period.end))
        (failure, expired) = (nil, nil)
    }

    private mutating func expectSuccession(_ period: SubscribedPeriod, _ event: SubscriptionEvent, after last: Paid) {
        switch event.kind {
        case .renewed:
            expect(
                isRunning && failure == nil && period.start == last.end, event, "it doesn't follow the period before")
        case .upgraded:
            expect(isRunning && failure == nil && event.at < last.end, event, "no period runs")
            expect(period.start == event.at, event, "it begins at another moment")
        case .recovered:
            expect(isRunning && failure != nil, event, "no charge has failed")
            let isInGrace = failure?.graceEnd.map { event.at < $0 } ?? false
            expect(period.start == (isInGrace ? last.end : event.at), event, "it begins at another moment")
            expect(event.at >= last.end, event, "the period before goes on")
        case .subscribed:
            expect(!isRunning || failure != nil, event, "the subscription goes on")
            expect(period.start == event.at, event, "it begins at another moment")
        default: expect(false, event, "it can't begin a period")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A subscription's history, followed event by event. Each event that doesn't
/// fit the ones before is a mistake of the store.
///
/// It uses none of the store's own rules: it checks those of
/// ``SubscriptionState``.
struct History {
    /// A period that was paid.
    struct Paid {
        var period: Books.Period
        /// The end after extensions and upgrades, and after the subscription
        /// was ended early.
        var end: Int64
        /// The moment of the event that began the period.
        var begun: Int64
        var isUpgraded = false
    }

    private(set) var mistakes: [String] = []
    private(set) var periods: [Paid] = []
    private(set) var renews = false
    private(set) var isExpired = false
    private(set) var isRevoked = false
    /// Whether the newest period, which is refunded, was to be renewed.
    private var renewedBeforeRefund = false
    /// Whether the payment of the next period has failed.
    private(set) var isInRetry = false
    private(set) var graceEnd: Int64?
    /// The payment that is set aside for the next period.
    private(set) var authorised: String?

    private static let day: Int64 = 86_400_000
    private static let retryDays: Int64 = 60

    init(_ subscription: Books.Subscription) {
        for event in subscription.events {
            let before = mistakes.count
            apply(event)
            if mistakes.count > before {
                mistakes[before] = "\(subscription.original): \(event.kind) at \(event.at): \(mistakes[before])"
            }
        }
    }

    /// The end of the newest period.
    var end: Int64 { periods.last?.end ?? 0 }

    /// The moments at which the retry of the next period may end: 60 days after
    /// the end of the newest one, of which one may have an hour more or less.
    /// At a test's speed it is sooner.
    var retryEnds: ClosedRange<Int64> {
        let usual = end + Self.retryDays * Self.day
        return isAtRealSpeed ? usual - Self.day / 10...usual + Self.day / 10 : end...usual
    }

    /// Whether the history goes on: its next step has a moment.
    var isRunning: Bool { !periods.isEmpty && !isExpired && !isRevoked }

    private var isAtRealSpeed: Bool { periods.last?.period.speed == "real" }

    private mutating func expect(_ isSo: Bool, _ mistake: String) {
        if !isSo { mistakes.append(mistake) }
    }

    private mutating func apply(_ event: Books.Event) {
        if let period = event.details.period { return begin(period, event) }
        expect(!periods.isEmpty, "there is no period")
        switch event.kind {
        case "plan chosen", "offer chosen": authorised = nil
        case "price increase announced", "price increase agreed", "price increase ended":
            expect(isRunning, "the subscription was over")
        case "renewal turned off":
            expect(isRunning && renews, "there was no renewal to turn off")
            (renews, authorised) = (false, nil)
        case "renewal turned on":
            expect(isRunning, "the subscription was over")
            renews = true
        case "authorised":
            expect(isRunning && renews && !isInRetry, "no renewal was expected")
            expect(event.at < end, "the period had ended")
            if isAtRealSpeed { expect(event.at >= end - Self.day, "it is more than a day before the end") }
            expect(authorised == nil, "\(authorised ?? "") is set aside already")
            authorised = event.details.payment
        case "charge failed": authorised = nil
        case "billing failed":
            expect(isRunning && renews && !isInRetry, "no renewal was expected")
            expect(event.at >= end, "the period goes on")
            (isInRetry, graceEnd, authorised) = (true, event.details.until, nil)
        case "grace ended": expect(isInRetry && event.at == graceEnd, "the grace period ends at \(graceEnd ?? 0)")
        case "expired": expire(event)
        case "refunded":
            guard event.details.transaction == periods.last?.period.transaction, !isRevoked else { return }
            renewedBeforeRefund = renews
            (isRevoked, renews, authorised) = (true, false, nil)
        case "refund reversed":
            guard event.details.transaction == periods.last?.period.transaction, isRevoked else { return }
            (isRevoked, renews, authorised) = (false, renewedBeforeRefund && event.at < end, nil)
        case "extended":
            periods[periods.count - 1].end = event.details.until ?? end
            // The amount pays for a period that begins earlier, too.
            if end > event.at { authorised = nil }
        default: expect(false, "there is no such event")
        }
    }

    private mutating func expire(_ event: Books.Event) {
        expect(isRunning, "the subscription was over")
        switch event.details.reason {
        case 1 where isInRetry: expect(event.at >= end, "the period goes on")
        case 1: expect(event.at == end, "the period ends at \(end)")
        case 3 where !isInRetry: expect(event.at == end, "the period ends at \(end)")
        case 2:
            expect(isInRetry, "no payment has failed")
            let days = Double(event.at - end) / Double(Self.day)
            if isAtRealSpeed { expect(retryEnds.contains(event.at), "it is \(days) days after the end") }
        default: expect(event.at >= end, "the period goes on")
        }
        (isExpired, isInRetry, renews, authorised) = (true, false, false, nil)
    }

    private mutating func begin(_ period: Books.Period, _ event: Books.Event) {
        expect(period.start < period.end, "the period is empty")
        expect(event.at == period.start || event.kind == "recovered", "the period begins at \(period.start)")
        expect(!periods.contains { $0.period.transaction == period.transaction }, "the transaction is repeated")
        switch event.kind {
        case "subscribed":
            expect(!isRunning || event.at >= end, "the period before ends at \(end)")
            renews = true
        case "upgraded":
            expect(isRunning && event.at < end, "the period before ended at \(end)")
            if !periods.isEmpty {
                periods[periods.count - 1].end = event.at
                periods[periods.count - 1].isUpgraded = true
            }
            renews = true
        case "renewed":
            expect(isRunning && renews && !isInRetry, "no renewal was expected")
            expect(period.start == end, "the period before ends at \(end)")
        case "recovered":
            expect(isRunning && isInRetry, "no payment had failed")
            let isInGrace = graceEnd.map { event.at < $0 } ?? false
            expect(isInGrace ? period.start == end : period.start == event.at && event.at >= end, "it begins wrong")
        default: expect(false, "it can't begin a period")
        }
        periods.append(Paid(period: period, end: period.end, begun: event.at))
        (isExpired, isRevoked, isInRetry, graceEnd, authorised) = (false, false, false, nil, nil)
    }
}

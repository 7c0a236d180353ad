// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The prices of a subscription's periods, followed event by event without the
/// store's own rules. A price that doesn't follow from the events before is a
/// mistake.
///
/// Prices of the catalogue only rise. So a renewal of the same product costs
/// the price that the customer has confirmed, or of which the customer was
/// informed.
struct PriceHistory {
    private(set) var mistakes: [String] = []
    /// The offers that codes have given, by product and name.
    private(set) var given: [String] = []
    private(set) var introductions = 0
    /// The increase that waits.
    private(set) var increase: Books.Increase?
    private var product = ""
    private var storefront = ""
    /// The price of a period without an offer.
    private var regular: Int64 = 0
    private var end: Int64 = 0
    private var next = ""
    private var chosen: Books.ChosenPrice?
    /// The offers of the next period, by its product.
    private var waiting: [String: Books.Offer] = [:]
    private var turnedOff: Int?
    private var renews = false
    private var isInRetry = false
    /// Whether the account's time was always real.
    private let isInRealTime: Bool

    init(_ subscription: Books.Subscription, isInRealTime: Bool) {
        self.isInRealTime = isInRealTime
        for event in subscription.events {
            let before = mistakes.count
            apply(event)
            if mistakes.count > before {
                mistakes[before] = "\(subscription.original): \(event.kind) at \(event.at): \(mistakes[before])"
            }
        }
    }

    /// The increase that the next period has to pay.
    private var dueIncrease: Books.Increase? {
        guard let increase, increase.applies <= end, next == product, waiting[product] == nil else { return nil }
        return increase
    }

    private mutating func expect(_ isSo: Bool, _ mistake: String) {
        if !isSo { mistakes.append(mistake) }
    }

    private mutating func apply(_ event: Books.Event) {
        if let period = event.details.period { return begin(period, event) }
        switch event.kind {
        case "plan chosen": (next, chosen) = (event.details.product ?? next, event.details.chosenPrice)
        case "offer chosen": choose(event.details.offer)
        case "renewal turned off":
            (renews, turnedOff) = (false, event.details.reason)
            if event.details.reason == 3 { increase?.isAgreed = false }
        case "renewal turned on": (renews, turnedOff) = (true, nil)
        case "billing failed": isInRetry = true
        case "expired":
            let isMissing = renews && !isInRetry && (dueIncrease?.isUndecided ?? false)
            if event.details.reason == 3 { expect(isMissing || turnedOff == 3, "no consent was missing") }
            (renews, isInRetry, increase) = (false, false, nil)
        case "refunded": if event.details.transaction == newest { renews = false }
        case "extended": end = event.details.until ?? end
        case "price increase announced": inform(event)
        case "price increase agreed":
            expect(increase != nil, "there is no higher price")
            increase?.isAgreed = true
        case "price increase ended": increase = nil
        default: break
        }
    }

    /// The transaction of the newest period.
    private var newest: String?

    private mutating func begin(_ period: Books.Period, _ event: Books.Event) {
        if let offer = period.offer { expect(OfferedPlans.has(offer, of: period.product), "there is no such offer") }
        if period.renewals == 0 { bought(period) } else { renewed(period) }
        let isRenewal = event.kind == "renewed" || event.kind == "recovered"
        if !isRenewal { (renews, turnedOff) = (true, nil) }
        // It waits on only if it isn't paid, and for the same product there.
        let isPaid = dueIncrease != nil || period.product != product || period.storefront != storefront
        if isPaid || period.renewals == 0 { increase = nil }
        (product, storefront, next, chosen) = (period.product, period.storefront, period.product, nil)
        regular = period.offer?.regularMilliunits ?? period.milliunits
        (end, newest, isInRetry) = (period.end, period.transaction, false)
        waiting = [:]
        waiting[product] = period.offer?.next
    }

    private mutating func bought(_ period: Books.Period) {
        guard let offer = period.offer else {
            return expect(OfferedPlans.has(period.milliunits, of: period.product), "it costs \(period.milliunits)")
        }
        expect(offer.number == 1 && offer.milliunits == period.milliunits, "it costs \(period.milliunits)")
        expect(OfferedPlans.has(offer.regularMilliunits, of: period.product), "\(offer.regularMilliunits) follows")
        if offer.kind == "introductory" { introductions += 1 }
        if offer.kind == "code" { given.append("\(period.product) \(offer.identifier)") }
    }

    private mutating func renewed(_ period: Books.Period) {
        expect(period.product == next || period.product == product, "\(next) was chosen")
        expect(!(dueIncrease?.isUndecided ?? false), "no customer has agreed to the price")
        let usual = usualPrice(of: period)
        guard let offer = waiting[period.product], offer.storefront == period.storefront else {
            expect(period.offer == nil, "no offer goes on")
            if let usual { return expect(period.milliunits == usual, "it costs \(period.milliunits), not \(usual)") }
            return expect(OfferedPlans.has(period.milliunits, of: period.product), "it costs \(period.milliunits)")
        }
        guard let applied = period.offer else { return expect(false, "the offer \(offer.identifier) isn't applied") }
        expect(
            applied.kind == offer.kind && applied.identifier == offer.identifier && applied.number == offer.number,
            "\(applied.kind) \(applied.identifier) \(applied.number) isn't \(offer.identifier) \(offer.number)")
        expect(period.milliunits == offer.milliunits, "it costs \(period.milliunits), not \(offer.milliunits)")
        let after = min(offer.regularMilliunits, usual ?? applied.regularMilliunits)
        expect(applied.regularMilliunits == after, "\(applied.regularMilliunits) follows, not \(after)")
    }

    /// The price of a renewal without an offer; `nil` for any price of the
    /// catalogue, after a move to another country.
    private func usualPrice(of period: Books.Period) -> Int64? {
        guard period.product == product else {
            return chosen.flatMap { $0.storefront == period.storefront ? $0.milliunits : nil }
        }
        guard period.storefront == storefront else { return nil }
        guard let due = dueIncrease, !due.isUndecided else { return regular }
        return max(regular, due.milliunits)
    }

    private mutating func choose(_ offer: Books.Offer?) {
        guard let offer else { return expect(false, "it has no offer") }
        expect(OfferedPlans.has(offer, of: next) && offer.number == 1, "there is no such offer")
        expect(OfferedPlans.has(offer.regularMilliunits, of: next), "\(offer.regularMilliunits) follows")
        waiting[next] = offer
        if offer.kind == "code" { given.append("\(next) \(offer.identifier)") }
    }

    private mutating func inform(_ event: Books.Event) {
        guard let told = event.details.priceIncrease else { return expect(false, "it has no price") }
        let rise = OfferedPlans.rises[product]?.first { $0.price == told.milliunits }
        expect(rise?.subscribers == .change, "no subscriber pays \(told.milliunits)")
        expect(told.needsConsent == (rise?.consent == .needed), "the consent isn't as the seller wants it")
        expect(told.milliunits > regular && !told.isAgreed, "it isn't higher than \(regular)")
        let days: Int64 = product == "weekly" ? 7 : 27
        let notice = event.at + days * 86_400_000
        // Clocks are put forward by an hour.
        expect(told.applies > event.at, "it has no notice")
        if isInRealTime { expect(told.applies >= notice - 3_600_000, "it applies at \(told.applies)") }
        increase = told
    }
}

extension Books.Increase {
    var isUndecided: Bool { needsConsent && !isAgreed }
}

extension Books.Offer {
    /// The offer of the following period; `nil` after the last one.
    fileprivate var next: Books.Offer? {
        guard mode == "payAsYouGo", number < periods else { return nil }
        var next = self
        next.number += 1
        return next
    }
}

extension OfferedPlans {
    /// Whether a product has an offer with the values of a period's.
    fileprivate static func has(_ offer: Books.Offer, of product: String) -> Bool {
        offers.contains {
            $0.product == product && $0.kind == offer.kind && $0.name == offer.identifier && $0.mode == offer.mode
                && $0.period == offer.period && $0.periods == offer.periods && $0.price == offer.milliunits
        } && (1...max(1, offer.periods)).contains(offer.number)
    }
}

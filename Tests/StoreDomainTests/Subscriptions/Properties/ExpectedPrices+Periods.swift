// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The rules of periods and of higher prices.
extension ExpectedPrices {
    /// Checks a period that has begun: one that the customer has bought on the
    /// confirmed terms, or a renewal.
    mutating func begin(
        _ period: SubscribedPeriod, _ event: SubscriptionEvent, _ line: inout Line, _ group: String,
        _ occasion: Occasion
    ) {
        let isBought = period.renewals == 0
        guard let terms = isBought ? bought(group, occasion) : renewal(of: line, in: period.storefront) else {
            return expect(false, event, "no customer has confirmed it")
        }
        if !isBought { expect(!(line.dueIncrease?.isUndecided ?? false), event, "the price lacks consent") }
        let price = Money(milliunits: terms.price, currency: ExpectedCatalogue.currency(of: terms.country))
        expect(period.product.rawValue == terms.product, event, "it is \(period.product), not \(terms.product)")
        expect(period.storefront == terms.country, event, "it is of \(period.storefront)")
        expect(period.price == price, event, "it costs \(period.price), not \(price)")
        let offer = terms.offer?.text ?? "no offer"
        expect(
            period.offer?.text ?? "no offer" == offer, event, "it has \(period.offer?.text ?? "no offer"), not \(offer)"
        )
        expect(isLong(period, terms), event, "it ends at \(period.end.iso8601)")
        if let introduction = terms.offer, introduction.terms.kind == .introductory, introduction.number == 1 {
            expect(!line.hasIntroduction, event, "it is a second introductory offer")
            line.hasIntroduction = true
        }
        count(terms, isBought, line)
        prices[period.transaction] = price
        line.begin(terms, period, isRenewal: event.kind == .renewed || event.kind == .recovered)
    }

    private mutating func bought(_ group: String, _ occasion: Occasion) -> Terms? {
        guard let confirmed = occasion.confirmed, !occasion.waits,
            OfferedBaskets.plan(confirmed.product)?.group == group
        else { return pending.removeValue(forKey: group) }
        return confirmed
    }

    /// Counts the offers, and the increases that are paid.
    private mutating func count(_ terms: Terms, _ isBought: Bool, _ line: Line) {
        if let offer = terms.offer, isBought {
            note("\(offer.terms.kind)")
            for code in [offer] + offer.following where code.terms.kind == .code {
                given["\(terms.product) \(code.terms.name)", default: 0] += 1
            }
            if !offer.following.isEmpty { note("code after introduction") }
        }
        let isIncreased = !isBought && terms.product == line.product && terms.country == line.country
        if isIncreased, terms.offer == nil, terms.price > line.regular { note("increase") }
        if isIncreased, terms.offer == nil, terms.price < catalogue.price(of: terms.product, in: terms.country) {
            note("kept price")
        }
    }

    /// Whether a period has the length of its offer or plan, in days.
    private func isLong(_ period: SubscribedPeriod, _ terms: Terms) -> Bool {
        guard period.speed == .realTime else { return true }
        let length = terms.offer?.terms.period ?? OfferedBaskets.plan(terms.product)?.period ?? ""
        let days = Double(period.end.milliseconds - period.start.milliseconds) / 86_400_000
        return OfferedBaskets.days(of: length, times: terms.offer?.bought ?? 1).contains(days)
    }

    /// The terms of the period that follows in a country.
    private func renewal(of line: Line, in country: String) -> Terms {
        let asked = catalogue.price(of: line.next, in: country)
        var terms = Terms(product: line.next, country: country, price: asked, regular: asked)
        if line.next != line.product {
            if let chosen = line.chosen, chosen.country == country { terms.price = min(asked, chosen.price) }
        } else if line.country == country {
            var known = line.regular
            if let due = line.dueIncrease, !due.isUndecided, due.country == country { known = max(known, due.price) }
            terms.price = min(asked, known)
            let waits = line.dueIncrease == nil && line.increase?.country == country
            terms.increase = waits ? line.increase : nil
        }
        terms.regular = terms.price
        guard var offer = line.waiting[line.next], offer.country == country else { return terms }
        offer.regular = min(offer.regular, terms.price)
        if offer.terms.mode == .payAsYouGo { offer.price = min(offer.price, terms.price) }
        (terms.price, terms.regular, terms.offer) = (offer.price, offer.regular, offer)
        return terms
    }

    mutating func changeIncrease(_ event: SubscriptionEvent, _ line: inout Line, _ occasion: Occasion) {
        switch event.kind {
        case .priceIncreaseTold:
            guard let told = event.priceIncrease else { return expect(false, event, "it has no price") }
            expect(isAfterNotice(told.applies, event, line, occasion), event, "it applies at \(told.applies.iso8601)")
            line.increase = Increase(
                price: told.price.milliunits, country: told.storefront, needsConsent: told.needsConsent,
                applies: told.applies)
        case .priceIncreaseAgreed:
            guard let increase = line.increase else { return expect(false, event, "there is none") }
            expect(occasion.mayAgree, event, "the customer has done nothing")
            // Nothing above the price that is shown.
            let shown = catalogue.price(of: line.product, in: increase.country)
            line.increase?.price = min(increase.price, max(line.regular, shown))
            line.increase?.isAgreed = true
        default:
            guard let increase = line.increase else { return expect(false, event, "there is none") }
            let isNeedless =
                occasion.country != increase.country
                || catalogue.price(of: line.product, in: increase.country) <= line.regular
            expect(isNeedless || occasion.forces, event, "the price of \(increase.price) goes on")
            line.increase = nil
        }
    }

    /// Whether an increase applies after its notice, or after a period that is
    /// charged already. Clocks are put forward and back by an hour.
    private func isAfterNotice(
        _ applies: StoreTime, _ event: SubscriptionEvent, _ line: Line, _ occasion: Occasion
    ) -> Bool {
        guard occasion.speed == .realTime else { return applies > event.at }
        let period = OfferedBaskets.plan(line.product)?.period
        let days: Int64 = period == "P1W" ? 7 : period == "P1M" ? 27 : 60
        let (notice, hour) = (event.at.milliseconds + days * 86_400_000, Int64(3_600_000))
        return applies.milliseconds >= notice - hour
            && (applies.milliseconds <= notice + hour || applies.milliseconds == line.end.milliseconds + 1)
    }
}

extension ExpectedPrices.Line {
    /// Begins a period.
    fileprivate mutating func begin(_ terms: ExpectedPrices.Terms, _ period: SubscribedPeriod, isRenewal: Bool) {
        var line = ExpectedPrices.Line(
            product: terms.product, country: terms.country, regular: terms.regular, end: period.end)
        line.newest = period.transaction
        line.next = terms.product
        line.waiting[terms.product] = terms.offer?.next
        line.increase = terms.increase
        line.hasIntroduction = hasIntroduction
        // A renewal that was charged before it was turned off leaves it off.
        line.renews = isRenewal ? renews : true
        line.turnedOff = isRenewal ? turnedOff : nil
        self = line
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The prices that the periods of one account must have, followed event by
/// event. The rules are written a second time here, and use none of the
/// store's: an offer lasts for its periods, a subscriber keeps a price, pays a
/// higher one after the notice and the agreement, and has one introductory
/// offer of a group. Each event that breaks them is a mistake.
struct ExpectedPrices {
    /// An offer with which a period is sold, or will be.
    struct Offer: Hashable {
        var terms: OfferedBaskets.Offer
        /// The place of the period among those that are paid one by one.
        var number = 1
        var price: Int64
        /// The price of a period after the offer.
        var regular: Int64
        var country: String
        /// At most one: that of a code, after an introductory offer.
        var following: [Offer] = []

        /// The offer of the next period.
        var next: Offer? {
            guard terms.mode == .payAsYouGo, number < terms.periods else { return following.first }
            var next = self
            next.number += 1
            return next
        }

        /// The number of its periods that are bought together.
        var bought: Int { terms.mode == .payAsYouGo ? 1 : terms.periods }

        var text: String {
            "\(terms.kind) \(terms.name) \(terms.mode) \(terms.period) \(number)/\(terms.periods) for \(price), then "
                + "\(regular) in \(country)"
        }
    }

    /// A higher price of which the subscriber was informed.
    struct Increase: Hashable {
        var price: Int64
        var country: String
        var needsConsent: Bool
        var applies: StoreTime
        var isAgreed = false

        var isUndecided: Bool { needsConsent && !isAgreed }
    }

    /// A price with its product: the terms of a period.
    struct Terms: Hashable {
        var product: String
        var country: String
        var price: Int64
        var regular: Int64
        var offer: Offer?
        /// The increase that waits for a later period.
        var increase: Increase?
    }

    /// The subscription of one group.
    struct Line {
        var product = ""
        var country = ""
        var regular: Int64 = 0
        var end = StoreTime(milliseconds: 0)
        var newest: TransactionIdentifier?
        var renews = false
        var turnedOff: ExpirationReason?
        var isExpired = false
        var isRevoked = false
        var isInRetry = false
        /// The product of the next period, and its price when it was chosen.
        var next = ""
        var chosen: (price: Int64, country: String)?
        /// The offers of the next period, by its product.
        var waiting: [String: Offer] = [:]
        var increase: Increase?
        /// Whether the account has had an introductory offer of the group.
        var hasIntroduction = false

        var hasBegun: Bool { !product.isEmpty }

        /// The increase that the next period has to pay.
        var dueIncrease: Increase? {
            guard let increase, increase.applies <= end, next == product, waiting[product] == nil else { return nil }
            return increase
        }

        /// Whether the customer may begin with an introductory offer.
        func admitsIntroduction(at now: StoreTime) -> Bool {
            guard !hasIntroduction else { return false }
            return !hasBegun || isRevoked || (now >= end && !isInRetry && (isExpired || !renews))
        }
    }

    /// The consequence of a change of a price for a subscriber.
    enum Notice: Hashable {
        case told(price: Int64, needsConsent: Bool)
        case ended
    }

    /// The circumstances of an action.
    struct Occasion {
        var country: String
        var speed: RenewalSpeed
        var now: StoreTime
        /// The terms that the customer has confirmed, and whether the bank
        /// still decides about them.
        var confirmed: Terms?
        var waits = false
        /// The offer that the customer has named by it.
        var named: OfferedBaskets.Offer?
        /// Whether the action may turn a renewal on, and so agree to a price.
        var mayAgree = false
        /// Whether a test begins the next period, which ends an increase.
        var forces = false
        /// The consequences of a price change, by group.
        var notices: [String: Notice] = [:]
    }

    var catalogue = ExpectedCatalogue()
    private(set) var mistakes: [String] = []
    /// The price of each period.
    var prices: [TransactionIdentifier: Money] = [:]
    /// How often each offer of a code was given, by product and name.
    var given: [String: Int] = [:]
    /// The kinds of offers, refusals and prices that have occurred, by which a
    /// test checks that it has tried all of them.
    private(set) var kinds: Set<String> = []
    private(set) var lines: [String: Line] = [:]
    /// The terms that the bank decides about, by group.
    var pending: [String: Terms] = [:]
    /// The number of events that were followed, by group.
    private var seen: [String: Int] = [:]

    /// Whether the account has, or may have, a subscription.
    var hasAny: Bool { lines.values.contains(where: \.hasBegun) || !pending.isEmpty }

    /// The terms on which the customer would begin a period now.
    func terms(
        of product: String, with named: OfferedBaskets.Offer?, _ occasion: Occasion
    ) -> Terms {
        let price = catalogue.price(of: product, in: occasion.country)
        func offer(_ terms: OfferedBaskets.Offer) -> Offer {
            Offer(terms: terms, price: terms.price, regular: price, country: occasion.country)
        }
        let group = OfferedBaskets.plan(product)?.group ?? ""
        let admits = (lines[group] ?? Line()).admitsIntroduction(at: occasion.now)
        var introduction = admits ? OfferedBaskets.offer(.introductory, of: product).map(offer) : nil
        var applied = named.map(offer)
        if named == nil {
            applied = introduction
        } else if let code = applied, named?.isStackable == true, introduction != nil {
            introduction?.following = [code]
            applied = introduction
        }
        return Terms(
            product: product, country: occasion.country, price: applied?.price ?? price, regular: price,
            offer: applied)
    }

    /// Sets a price, and decides which subscribers have to be informed of it.
    mutating func change(_ change: ExpectedCatalogue.Change, in country: String) -> [String: Notice] {
        let (isRepeated, previous) = (catalogue.isRepeated(change), catalogue.previous(of: change))
        catalogue.apply(change)
        guard change.subscribers == .change || change.price < previous else { return [:] }
        return lines.compactMapValues { line -> Notice? in
            guard line.product == change.product, line.country == country, !line.isExpired, !line.isRevoked,
                catalogue.isMeant(change, in: country)
            else { return nil }
            let asked = catalogue.price(of: change.product, in: country)
            guard asked > line.regular else { return line.increase == nil ? nil : .ended }
            if let known = line.increase, known.price >= asked { return nil }
            guard change.subscribers == .change else { return nil }
            return .told(price: asked, needsConsent: Self.needsConsent(change, from: line.regular, isRepeated))
        }
    }

    private static func needsConsent(
        _ change: ExpectedCatalogue.Change, from paid: Int64, _ isRepeated: Bool
    ) -> Bool {
        guard change.consent == .rule else { return change.consent == .needed }
        let rise = change.price - paid
        return isRepeated || (rise > 5000 && 2 * rise > paid)
    }
}

extension ExpectedPrices {
    /// Follows the events of a subscription that an action has led to.
    mutating func follow(_ group: String, _ events: [SubscriptionEvent], _ occasion: Occasion) {
        var line = lines[group] ?? Line()
        var notice: Notice?
        for event in events.dropFirst(seen[group] ?? 0) {
            if let period = event.period {
                begin(period, event, &line, group, occasion)
            } else {
                apply(event, to: &line, group, occasion)
            }
            switch event.kind {
            case .priceIncreaseTold:
                notice = line.increase.map { .told(price: $0.price, needsConsent: $0.needsConsent) }
            case .priceIncreaseEnded where !occasion.notices.isEmpty: notice = .ended
            default: break
            }
        }
        if notice != occasion.notices[group] {
            mistakes.append("\(group) has the notice \(notice as Any), not \(occasion.notices[group] as Any)")
        }
        lines[group] = line
        seen[group] = events.count
    }

    /// Records terms about which the bank decides.
    mutating func wait(_ occasion: Occasion) {
        guard occasion.waits, let confirmed = occasion.confirmed, let plan = OfferedBaskets.plan(confirmed.product)
        else { return }
        pending[plan.group] = confirmed
    }

    mutating func expect(_ isSo: Bool, _ event: SubscriptionEvent, _ mistake: @autoclosure () -> String) {
        if !isSo { mistakes.append("\(event.kind.rawValue) at \(event.at.iso8601): \(mistake())") }
    }

    mutating func note(_ kind: String) { kinds.insert(kind) }

    private mutating func apply(
        _ event: SubscriptionEvent, to line: inout Line, _ group: String, _ occasion: Occasion
    ) {
        switch event.kind {
        case .planChosen:
            line.next = event.product?.rawValue ?? line.next
            line.chosen = (catalogue.price(of: line.next, in: occasion.country), occasion.country)
        case .offerChosen: choose(event, &line, occasion)
        case .renewalTurnedOff:
            (line.renews, line.turnedOff) = (false, event.reason ?? .turnedOff)
            if event.reason == .priceIncrease { line.increase?.isAgreed = false }
        case .renewalTurnedOn: (line.renews, line.turnedOff) = (true, nil)
        case .billingFailed: line.isInRetry = true
        case .expired: expire(event, &line)
        case .refunded:
            guard event.transaction == line.newest else { return }
            (line.isRevoked, line.renews) = (true, false)
        case .extended: line.end = event.until ?? line.end
        case .priceIncreaseTold, .priceIncreaseAgreed, .priceIncreaseEnded: changeIncrease(event, &line, occasion)
        default: break
        }
    }

    private mutating func expire(_ event: SubscriptionEvent, _ line: inout Line) {
        let lacksConsent = line.renews && !line.isInRetry && line.dueIncrease?.isUndecided == true
        if event.reason == .priceIncrease {
            expect(lacksConsent || line.turnedOff == .priceIncrease, event, "no consent was missing")
            note(lacksConsent ? "no consent" : "refused increase")
        }
        (line.isExpired, line.renews, line.isInRetry, line.increase) = (true, false, false, nil)
    }

    /// An offer that the customer has named, for the next period.
    private mutating func choose(_ event: SubscriptionEvent, _ line: inout Line, _ occasion: Occasion) {
        guard let named = occasion.named, occasion.confirmed?.product == line.next else {
            return expect(false, event, "nothing was chosen")
        }
        let offer = Offer(
            terms: named, price: named.price, regular: catalogue.price(of: line.next, in: occasion.country),
            country: occasion.country)
        expect(event.offer?.text == offer.text, event, "the offer isn't \(offer.text)")
        line.waiting[line.next] = offer
        if named.kind == .code { given["\(line.next) \(named.name)", default: 0] += 1 }
        note("\(named.kind) for the next period")
    }
}

extension AppliedOffer {
    /// The values that ``ExpectedPrices/Offer/text`` has.
    var text: String {
        "\(kind) \(identifier) \(mode) \(period.iso8601) \(number)/\(periods) for \(price.milliunits), then "
            + "\(regularPrice.milliunits) in \(storefront)"
    }
}

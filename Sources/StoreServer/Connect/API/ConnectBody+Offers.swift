// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension OfferValues {
    /// The offer of a body. Values that its kind doesn't have are left over.
    init(reading body: inout ConnectBody) {
        self.init(kind: body.text("kind") ?? "")
        mode = body.text("mode") ?? ""
        period = body.text("period") ?? ""
        periods = body.number("periods") ?? ""
        price = body.text("price") ?? ""
        otherPrices = (body.textsByName("prices") ?? [:]).sorted { $0.key < $1.key }
            .compactMap { country, price in price.flatMap { body.priceLine(country, $0) } }.joined(separator: "\n")
        let known = Product.Offer.Kind(rawValue: kind)
        if known != .introductory { identifier = body.text("identifier") ?? "" }
        if known == .promotional || known == .winBack { referenceName = body.text("reference") ?? "" }
        if known == .code { readCustomers(&body) }
        if known == .winBack { readConditions(&body) }
    }

    private mutating func readCustomers(_ body: inout ConnectBody) {
        eligibility = Set(body.texts("eligibility") ?? [])
        if !eligibility.allSatisfy({ Product.Offer.Eligibility(rawValue: $0) != nil }) {
            body.add("eligibility", .unknown)
        }
        isStackable = body.bool("stackable") ?? false
    }

    private mutating func readConditions(_ body: inout ConnectBody) {
        paidMonths = body.number("paidMonths") ?? ""
        leastLapsedMonths = body.number("leastLapsedMonths") ?? ""
        mostLapsedMonths = body.number("mostLapsedMonths") ?? ""
        waitMonths = body.number("waitMonths") ?? ""
        isHighPriority = body.bool("highPriority") ?? false
    }
}

extension CodeValues {
    /// The codes of a body: a word, or drawn ones.
    init(reading body: inout ConnectBody) {
        self.init()
        batch = body.text("batch") ?? ""
        product = body.text("product") ?? ""
        isForApp = body.bool("forApp") ?? false
        offer = body.text("offer") ?? ""
        name = body.text("name") ?? ""
        lastDay = body.text("lastDay") ?? ""
        word = body.text("word") ?? ""
        if word.isEmpty {
            count = body.number("count") ?? ""
        } else {
            limit = body.number("limit") ?? ""
        }
    }
}

extension PriceValues {
    /// The scheduled price of a body.
    init(reading body: inout ConnectBody) {
        self.init()
        country = body.text("country") ?? ""
        price = body.text("price") ?? ""
        firstDay = body.text("firstDay") ?? ""
        subscribers = body.text("subscribers") ?? PriceChange.Subscribers.keep.rawValue
        consent = body.text("consent") ?? PriceChange.Consent.rule.rawValue
    }
}

extension ConnectBody {
    /// A price of a country as the line of a form; `nil`, with a problem, for
    /// one that would be several values.
    mutating func priceLine(_ country: String, _ price: String) -> String? {
        guard !country.contains(where: \.isWhitespace), !price.contains(where: \.isWhitespace) else {
            add("prices.\(country.prefix(40))", .malformed)
            return nil
        }
        return "\(country) \(price)"
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The values of the form of an offer.
package struct OfferValues: Sendable {
    package var kind: String
    /// The identifier of a promotional or win-back offer, the name of a code
    /// offer; an introductory offer has none.
    package var identifier = ""
    /// The seller's own name of a win-back offer.
    package var referenceName = ""
    package var mode = ""
    /// The period in ISO 8601; that of the product for
    /// ``Product/Offer/PaymentMode/payAsYouGo``.
    package var period = ""
    /// The number of periods that are paid one by one.
    package var periods = ""
    package var price = ""
    /// Prices of single storefronts, one a line: `DEU 1.19`.
    package var otherPrices = ""
    /// The customers who can redeem a code of a subscription.
    package var eligibility: Set<String> = []
    package var isStackable = false
    package var isHighPriority = false
    /// The conditions of a win-back offer, in months.
    package var paidMonths = ""
    package var leastLapsedMonths = ""
    package var mostLapsedMonths = ""
    package var waitMonths = ""

    package init(kind: String) {
        self.kind = kind
    }

    /// The periods of free offers, in ISO 8601.
    package static let freePeriods = ["P3D", "P1W", "P2W", "P1M", "P2M", "P3M", "P6M", "P1Y"]
    /// The periods of offers that are paid up front.
    package static let upFrontPeriods = ["P1M", "P2M", "P3M", "P6M", "P1Y"]
    package static let longestIdentifier = 64

    /// The most periods that are paid one by one: those of a year.
    package static func mostPeriods(of period: SubscriptionPeriod) -> Int {
        switch (period.count, period.unit) {
        case (1, .week), (1, .month): 12
        case (2, .month): 6
        case (3, .month): 4
        case (6, .month): 2
        default: 1
        }
    }

    /// The most offers of a kind that a product has.
    package static func mostOffers(of kind: Product.Offer.Kind) -> Int {
        switch kind {
        case .introductory: 1
        case .promotional, .code: 10
        case .winBack: 350
        }
    }

    /// The kinds of offers that a product can have.
    package static func kinds(of product: Product) -> [Product.Offer.Kind] {
        product.plan == nil ? [.code] : [.introductory, .promotional, .code, .winBack]
    }

    /// The checked offer of a product.
    ///
    /// - Throws: ``InvalidFields``.
    func checked(for product: Product) throws -> Product.Offer {
        var checks = FieldChecks()
        let kind = Product.Offer.Kind(rawValue: kind)
        guard let kind, Self.kinds(of: product).contains(kind) else {
            checks.add("kind", .unknown)
            try checks.finish()
            throw InvalidFields(problems: [])
        }
        let known = Product.Offer.PaymentMode(rawValue: mode)
        if known == nil || (product.plan == nil && known == .payAsYouGo) {
            checks.add("mode", mode.isEmpty ? .missing : .unknown)
        }
        let mode = known ?? .free
        let (period, periods) = length(mode, product, &checks)
        var offer = Product.Offer(kind, mode: mode, period: period, periods: periods)
        name(&offer, &checks)
        if mode != .free { price(&offer, product, &checks) }
        if kind == .code, product.plan != nil { customers(&offer, &checks) }
        if kind == .winBack { conditions(&offer, &checks) }
        try checks.finish()
        return offer
    }

    private func name(_ offer: inout Product.Offer, _ checks: inout FieldChecks) {
        guard offer.kind != .introductory else { return }
        offer.identifier = identifier.trimmingWhitespace()
        checks.identifier(offer.identifier, field: "identifier", longest: Self.longestIdentifier, with: "-._")
        guard offer.kind == .winBack || offer.kind == .promotional else { return }
        offer.referenceName = checks.text(
            referenceName, field: "reference", longest: ProductRegistration.longestReferenceName)
    }

    private func length(
        _ mode: Product.Offer.PaymentMode, _ product: Product, _ checks: inout FieldChecks
    ) -> (SubscriptionPeriod, Int) {
        guard let plan = product.plan else { return (Product.Offer.noPeriod, 1) }
        guard mode == .payAsYouGo else {
            let periods = mode == .free ? Self.freePeriods : Self.upFrontPeriods
            let chosen = periods.contains(period) ? SubscriptionPeriod(iso8601: period) : nil
            if chosen == nil { checks.add("period", period.isEmpty ? .missing : .unknown) }
            return (chosen ?? plan.period, 1)
        }
        let text = periods.trimmingWhitespace()
        let most = Self.mostPeriods(of: plan.period)
        guard let count = Int(text), (1...most).contains(count) else {
            checks.add("periods", text.isEmpty ? .missing : .outOfRange, limit: most)
            return (plan.period, 1)
        }
        return (plan.period, count)
    }

    /// Sets the prices. A period that is paid for itself costs less than one of
    /// the product.
    private func price(_ offer: inout Product.Offer, _ product: Product, _ checks: inout FieldChecks) {
        let text = price.trimmingWhitespace()
        guard let base = try? Money.milliunits(of: text, in: "USD"), base > 0 else {
            return checks.add("price", text.isEmpty ? .missing : .malformed)
        }
        offer.milliunits = base
        offer.prices = ProductRegistration.prices(otherPrices, &checks)
        guard offer.mode == .payAsYouGo || product.plan == nil else { return }
        if base >= product.milliunits { checks.add("price", .tooHigh) }
        let tooHigh = Storefront.all.contains {
            product.price(of: offer, in: $0).milliunits >= product.price(in: $0).milliunits
        }
        if tooHigh, base < product.milliunits { checks.add("prices", .tooHigh) }
    }

    private func customers(_ offer: inout Product.Offer, _ checks: inout FieldChecks) {
        offer.eligibility = Set(eligibility.compactMap(Product.Offer.Eligibility.init))
        if offer.eligibility.isEmpty { checks.add("eligibility", .missing) }
        offer.isStackable = isStackable
    }

    private func conditions(_ offer: inout Product.Offer, _ checks: inout FieldChecks) {
        func months(_ text: String, _ field: String, _ range: ClosedRange<Int>, _ usual: Int) -> Int {
            let text = text.trimmingWhitespace()
            if text.isEmpty { return usual }
            guard let months = Int(text), range.contains(months) else {
                checks.add(field, .malformed)
                return usual
            }
            return months
        }
        let paid = months(paidMonths, "paidMonths", 1...60, 1)
        let least = months(leastLapsedMonths, "leastLapsedMonths", 0...24, 0)
        let most = months(mostLapsedMonths, "mostLapsedMonths", 0...24, 24)
        let wait = months(waitMonths, "waitMonths", 2...24, 0)
        if most < least { checks.add("mostLapsedMonths", .malformed) }
        offer.conditions = WinBackConditions(
            paidMonths: paid, lapsedMonths: least...max(least, most), waitMonths: wait == 0 ? nil : wait)
        offer.priority = isHighPriority ? .high : .normal
    }
}

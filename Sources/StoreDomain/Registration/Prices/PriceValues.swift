// SPDX-License-Identifier: Apache-2.0

/// The values of the form of a scheduled price.
package struct PriceValues: Sendable {
    /// A country code; empty for the base price.
    package var country = ""
    package var price = ""
    /// The first day of the price, such as `2026-12-31` (UTC); empty for now.
    package var firstDay = ""
    /// Whether the subscribers of a subscription pay it too.
    package var subscribers = ""
    package var consent = ""

    /// The most days until a price begins.
    package static let mostDays = 731

    package init() {}

    /// The checked change of a product's price.
    ///
    /// - Throws: ``InvalidFields``.
    func change(
        of product: Product, _ identifier: PriceChangeIdentifier, at now: WallTime
    ) throws -> PriceChange {
        var checks = FieldChecks()
        let country = country.trimmingWhitespace().uppercased()
        let storefront = country.isEmpty ? nil : try? Storefront.known(country)
        if storefront == nil, !country.isEmpty { checks.add("country", .unknown) }
        let text = price.trimmingWhitespace()
        let milliunits = try? Money.milliunits(of: text, in: storefront?.currency ?? "USD")
        if milliunits == nil { checks.add("price", text.isEmpty ? .missing : .malformed) }
        let starts = start(at: now, &checks)
        let subscribers = PriceChange.Subscribers(rawValue: product.plan == nil ? "keep" : subscribers)
        if subscribers == nil { checks.add("subscribers", .unknown) }
        let consent = PriceChange.Consent(rawValue: product.plan == nil ? "rule" : consent)
        if consent == nil { checks.add("consent", .unknown) }
        try checks.finish()
        return PriceChange(
            identifier: identifier, bundleIdentifier: product.bundleIdentifier,
            productIdentifier: product.productIdentifier, storefront: storefront?.countryCode,
            milliunits: milliunits ?? 0, starts: starts, subscribers: subscribers ?? .keep, consent: consent ?? .rule,
            created: now)
    }

    /// The start of the first day. Today's has begun already: its price applies
    /// now.
    private func start(at now: WallTime, _ checks: inout FieldChecks) -> WallTime {
        let text = firstDay.trimmingWhitespace()
        if text.isEmpty { return now }
        guard let day = CivilDate.number(of: text) else {
            checks.add("firstDay", .malformed)
            return now
        }
        let starts = WallTime(milliseconds: Int64(day) * 86_400_000)
        if starts < now {
            if starts + .seconds(86_400) <= now { checks.add("firstDay", .past) }
            return now
        }
        if starts > now + .seconds(Self.mostDays * 86_400) { checks.add("firstDay", .tooFar, limit: Self.mostDays) }
        return starts
    }
}

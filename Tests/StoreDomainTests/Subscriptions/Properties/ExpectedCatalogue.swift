// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The prices of the catalogue as the seller of the test has set them.
struct ExpectedCatalogue {
    /// A price that the seller sets, and its meaning for the subscribers.
    struct Change: Hashable, Sendable {
        var product: String
        /// In thousandths.
        var price: Int64
        /// `nil` for the base price.
        var country: String?
        var subscribers: PriceChange.Subscribers
        var consent: PriceChange.Consent
    }

    private var base = Dictionary(uniqueKeysWithValues: OfferedBaskets.plans.map { ($0.product, $0.price) })
    /// The prices of single countries.
    private var own: [String: [String: Int64]] = [:]
    /// The products and countries whose price has risen; the country of a base
    /// price is empty.
    private var risen: Set<[String]> = []

    /// The price of a product in a country, in thousandths.
    func price(of product: String, in country: String) -> Int64 {
        own[product]?[country] ?? base[product] ?? -1
    }

    /// Whether a change sets the price in a country.
    func isMeant(_ change: Change, in country: String) -> Bool {
        change.country.map { $0 == country } ?? (own[change.product]?[country] == nil)
    }

    /// The price that a change takes the place of.
    func previous(of change: Change) -> Int64 {
        change.country.flatMap { own[change.product]?[$0] } ?? base[change.product] ?? -1
    }

    /// Whether all subscribers have to agree to a change, because the price
    /// has risen before. All of a test's changes are within a year.
    func isRepeated(_ change: Change) -> Bool {
        risen.contains([change.product, ""]) || risen.contains([change.product, change.country ?? ""])
    }

    mutating func apply(_ change: Change) {
        if change.price > previous(of: change) { risen.insert([change.product, change.country ?? ""]) }
        if let country = change.country {
            own[change.product, default: [:]][country] = change.price
        } else {
            base[change.product] = change.price
        }
    }

    static func currency(of country: String) -> String { country == "DEU" ? "EUR" : "USD" }
}

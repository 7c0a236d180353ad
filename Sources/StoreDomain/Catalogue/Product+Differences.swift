// SPDX-License-Identifier: Apache-2.0

extension Product {
    /// The values that another version of the product changes, in words.
    func differences(to other: Product) -> [String] {
        var differences: [String] = []
        if kind != other.kind { differences.append("type from \(kind.rawValue) to \(other.kind.rawValue)") }
        if isForSale != other.isForSale { differences.append(other.isForSale ? "sold again" : "taken off sale") }
        if milliunits != other.milliunits {
            differences.append("price from \(milliunits.decimal) to \(other.milliunits.decimal)")
        }
        if pricing != other.pricing {
            differences.append("prices of the currencies from \(pricing.name) to \(other.pricing.name)")
        }
        for country in Set(prices.keys).union(other.prices.keys).sorted() where prices[country] != other.prices[country]
        {
            let (old, new) = (prices[country]?.decimal(in: country), other.prices[country]?.decimal(in: country))
            differences.append("price in \(country) from \(old ?? "the base price") to \(new ?? "the base price")")
        }
        if exclusions != other.exclusions {
            let countries = other.exclusions.sorted().joined(separator: " and ")
            differences.append(countries.isEmpty ? "sold in every country" : "not sold in \(countries)")
        }
        if isFamilyShareable != other.isFamilyShareable {
            differences.append("family sharing \(other.isFamilyShareable ? "on" : "off")")
        }
        if referenceName != other.referenceName { differences.append("reference name") }
        if offers != other.offers { differences.append("offers") }
        return differences + planDifferences(to: other) + localizations.differences(to: other.localizations)
    }

    private func planDifferences(to other: Product) -> [String] {
        guard let plan, let new = other.plan else { return [] }
        var differences: [String] = []
        if plan.group != new.group { differences.append("group from \(plan.group) to \(new.group)") }
        if plan.level != new.level { differences.append("level from \(plan.level) to \(new.level)") }
        if plan.period != new.period {
            differences.append("period from \(plan.period.iso8601) to \(new.period.iso8601)")
        }
        if contactBonus != other.contactBonus {
            let (old, new) = (contactBonus?.iso8601, other.contactBonus?.iso8601)
            differences.append("bonus for a contact from \(old ?? "none") to \(new ?? "none")")
        }
        return differences
    }
}

extension SubscriptionGroup {
    /// The values that another version of the group changes, in words.
    func differences(to other: SubscriptionGroup) -> [String] {
        (referenceName == other.referenceName ? [] : ["reference name"])
            + localizations.differences(to: other.localizations)
    }
}

extension [Product.Localization] {
    /// The texts that another list changes, in words. The order of the
    /// locales has no meaning.
    fileprivate func differences(to others: [Product.Localization]) -> [String] {
        let old = Dictionary(map { ($0.locale, $0) }) { first, _ in first }
        let new = Dictionary(others.map { ($0.locale, $0) }) { first, _ in first }
        return Set(old.keys).union(new.keys).sorted().flatMap { locale -> [String] in
            guard let before = old[locale] else { return ["texts added (\(locale))"] }
            guard let after = new[locale] else { return ["texts removed (\(locale))"] }
            let title = before.title == after.title ? [] : ["title (\(locale))"]
            return title + (before.description == after.description ? [] : ["description (\(locale))"])
        }
    }
}

extension Int64 {
    /// Milliunits as a decimal.
    package var decimal: String { Money(milliunits: self, currency: "").decimal }

    /// Milliunits as a decimal of a country's currency; of a base price without one.
    package func decimal(in country: String?) -> String {
        Money(milliunits: self, currency: country.flatMap(Storefront.named)?.currency ?? "").decimal
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A value of a product, a group or an app that a file changes.
package struct ValueChange: Hashable, Sendable {
    /// The name of a value. Pages have its words.
    package enum Name: Hashable, Sendable {
        case kind
        case referenceName
        case price
        /// A price of a storefront, by its country code.
        case priceIn(String)
        /// The way in which the prices of the currencies follow from the base price.
        case pricing
        case isForSale
        case exclusions
        case familySharing
        case group
        case level
        case period
        case contactBonus
        /// The display name in a language.
        case title(String)
        /// The description in a language.
        case description(String)
        /// An offer, by its kind and its identifier.
        case offer(Product.Offer.Kind, String)
        /// The place of an offer among those of its kind.
        case place(Product.Offer.Kind, String)
        case reviewNote
        case gracePeriod
        case offerKey
    }

    package var name: Name
    /// `nil` for a value that is new.
    package var before: String?
    /// `nil` for a value that is removed.
    package var after: String?

    /// The values that differ, in the order of a form.
    static func between(_ old: [Name: String], _ new: [Name: String]) -> [ValueChange] {
        Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
            .map { ValueChange(name: $0, before: old[$0], after: new[$0]) }
            .sorted { $0.name.place < $1.name.place }
    }

    /// The change for the log, which is in English.
    var text: String {
        "\(name.code) " + [before, after].map { $0 ?? "none" }.joined(separator: " → ")
    }
}

extension ValueChange.Name {
    /// The name in a log, unique among the values of an object.
    package var code: String {
        switch self {
        case .kind: "type"
        case .referenceName: "reference name"
        case .price: "price"
        case .priceIn(let country): "price in \(country)"
        case .pricing: "prices of the currencies"
        case .isForSale: "for sale"
        case .exclusions: "not sold in"
        case .familySharing: "family sharing"
        case .group: "group"
        case .level: "level"
        case .period: "duration"
        case .contactBonus: "bonus for a contact"
        case .title(let locale): "display name \(locale)"
        case .description(let locale): "description \(locale)"
        case .offer(let kind, let identifier): "offer \(kind.rawValue) \(identifier)"
        case .place(let kind, let identifier): "place of the offer \(kind.rawValue) \(identifier)"
        case .reviewNote: "review note"
        case .gracePeriod: "grace period"
        case .offerKey: "key of offers"
        }
    }
}

extension ValueChange.Name {
    /// The place among the values of an object, as a form has them: a number,
    /// and a text for names with the same one.
    fileprivate var place: (number: Int, text: String) {
        switch self {
        case .kind: (0, "")
        case .referenceName: (1, "")
        case .group: (2, "")
        case .level: (3, "")
        case .period: (4, "")
        case .price: (5, "")
        case .priceIn(let country): (6, country)
        case .pricing: (6, "")
        case .isForSale: (7, "")
        case .exclusions: (8, "")
        case .familySharing: (9, "")
        case .title(let locale): (10, "\(locale) 1")
        case .description(let locale): (10, "\(locale) 2")
        case .contactBonus: (11, "")
        case .offer(let kind, let identifier): (12, "\(kind.rawValue) \(identifier)")
        case .place(let kind, let identifier): (13, "\(kind.rawValue) \(identifier)")
        case .reviewNote: (14, "")
        case .gracePeriod: (15, "")
        case .offerKey: (16, "")
        }
    }
}

extension Product {
    /// The values that a file has, by their names.
    var values: [ValueChange.Name: String] {
        var values: [ValueChange.Name: String] = [
            .kind: kind.rawValue, .referenceName: referenceName, .price: milliunits.decimal,
            .isForSale: isForSale ? "yes" : "no", .familySharing: isFamilyShareable ? "yes" : "no",
        ]
        values[.pricing] = pricing == .sameNumber ? nil : pricing.name
        values[.exclusions] = exclusions.isEmpty ? nil : exclusions.sorted().joined(separator: " ")
        for (country, price) in prices { values[.priceIn(country)] = price.decimal(in: country) }
        for text in localizations {
            values[.title(text.locale)] = text.title
            values[.description(text.locale)] = text.description
        }
        values[.group] = plan?.group.rawValue
        values[.level] = plan.map { String($0.level) }
        values[.period] = plan?.period.iso8601
        values[.contactBonus] = contactBonus?.iso8601
        for (kind, offers) in Dictionary(grouping: offers, by: \.kind) {
            for (place, offer) in offers.enumerated() {
                values[.offer(kind, offer.identifier)] = offer.terms
                if offers.count > 1 { values[.place(kind, offer.identifier)] = String(place + 1) }
            }
        }
        return values
    }
}

extension SubscriptionGroup {
    /// The values that a file has, by their names.
    var values: [ValueChange.Name: String] {
        var values: [ValueChange.Name: String] = [.referenceName: referenceName]
        for text in localizations {
            values[.title(text.locale)] = text.title
            values[.description(text.locale)] = text.description
        }
        return values
    }
}

extension Product.Offer {
    /// All terms of the offer in one line, such as
    /// `payAsYouGo 3 × P1M 0.99; DEU 1.19`.
    var terms: String {
        var parts = ["\(mode.rawValue) \(periods) × \(period.iso8601) \(milliunits.decimal)"]
        parts += prices.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.decimal(in: $0.key))" }
        if !referenceName.isEmpty { parts.append(referenceName) }
        if !eligibility.isEmpty { parts.append(eligibility.sorted().map(\.rawValue).joined(separator: " ")) }
        if isStackable { parts.append("stackable") }
        if !isEligible { parts.append("not eligible") }
        if priority != .normal { parts.append("priority \(priority.rawValue)") }
        if let conditions {
            parts.append(
                "paid \(conditions.paidMonths), lapsed \(conditions.leastLapsedMonths) to "
                    + "\(conditions.mostLapsedMonths), wait \(conditions.waitMonths ?? 0)")
        }
        return parts.joined(separator: "; ")
    }
}

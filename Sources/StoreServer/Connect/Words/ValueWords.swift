// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The names of values that change, with their values before and after.
struct ValueWords: PageWords {
    /// `{name}`, `{before}` and `{after}`.
    var change: String
    /// `{name}` and `{after}`.
    var new: String
    var none: String
    /// `{place}` is a country code.
    var priceIn: String
    /// The way in which the prices of the currencies follow from the base price.
    var pricing: String
    /// `{kind}` and `{name}`.
    var offer: String
    /// `{kind}` and `{name}`.
    var place: String
    var introductory: String
    var promotional: String
    var code: String
    var winBack: String
    var bonus: String
    var gracePeriod: String
    /// `{count}`.
    var days: String
    var offerKey: String

    static let english = ValueWords(
        change: "{name}: {before} → {after}",
        new: "{name}: {after}",
        none: "none",
        priceIn: "Price ({place})",
        pricing: "Prices of the currencies",
        offer: "{kind}: {name}",
        place: "Place of {kind}: {name}",
        introductory: "Introductory offer",
        promotional: "Promotional offer",
        code: "Code offer",
        winBack: "Win-back offer",
        bonus: "Bonus for a shared contact",
        gracePeriod: "Grace period",
        days: "{count} days",
        offerKey: "Key of promotional offers")

    static let german = ValueWords(
        change: "{name}: {before} → {after}",
        new: "{name}: {after}",
        none: "nichts",
        priceIn: "Preis ({place})",
        pricing: "Preise der Währungen",
        offer: "{kind}: {name}",
        place: "Platz von {kind}: {name}",
        introductory: "Einführungsangebot",
        promotional: "Werbeangebot",
        code: "Code-Angebot",
        winBack: "Rückgewinnungsangebot",
        bonus: "Zugabe für einen geteilten Kontakt",
        gracePeriod: "Kulanzfrist",
        days: "{count} Tage",
        offerKey: "Schlüssel für Werbeangebote")

    static let french = ValueWords(
        change: "{name} : {before} → {after}",
        new: "{name} : {after}",
        none: "rien",
        priceIn: "Prix ({place})",
        pricing: "Prix des devises",
        offer: "{kind} : {name}",
        place: "Place de {kind} : {name}",
        introductory: "Offre de lancement",
        promotional: "Offre promotionnelle",
        code: "Offre par code",
        winBack: "Offre de reconquête",
        bonus: "Prime pour un contact partagé",
        gracePeriod: "Délai de grâce",
        days: "{count} jours",
        offerKey: "Clé des offres promotionnelles")

    /// The words of a value's name.
    func name(_ name: ValueChange.Name, in language: PageLanguage) -> String {
        let words = ProductWords.words(language)
        return switch name {
        case .kind: words.kind
        case .referenceName: words.reference
        case .price: words.price
        case .priceIn(let country): fill(\.priceIn, ["place": country])
        case .pricing: pricing
        case .isForSale: words.cleared
        case .exclusions: words.exclusions
        case .familySharing: words.family
        case .group: words.group
        case .level: words.level
        case .period: words.period
        case .contactBonus: bonus
        case .title(let locale): words.fill(\.title, ["locale": locale])
        case .description(let locale): words.fill(\.description, ["locale": locale])
        case .offer(let kind, let identifier): named(\.offer, kind, identifier)
        case .place(let kind, let identifier): named(\.place, kind, identifier)
        case .reviewNote: words.reviewNote
        case .gracePeriod: gracePeriod
        case .offerKey: offerKey
        }
    }

    func name(_ kind: Product.Offer.Kind) -> String {
        switch kind {
        case .introductory: introductory
        case .promotional: promotional
        case .code: code
        case .winBack: winBack
        }
    }

    private func named(_ text: KeyPath<ValueWords, String>, _ kind: Product.Offer.Kind, _ identifier: String) -> String
    {
        identifier.isEmpty ? name(kind) : fill(text, ["kind": name(kind), "name": identifier])
    }

    /// A changed value in one line.
    func line(_ change: ValueChange, isNew: Bool, in language: PageLanguage) -> String {
        let name = name(change.name, in: language)
        let (before, after) = (
            text(change.before, of: change.name, language), text(change.after, of: change.name, language)
        )
        guard !isNew else { return fill(\.new, ["name": name, "after": after]) }
        return fill(\.change, ["name": name, "before": before, "after": after])
    }

    private func text(_ value: String?, of name: ValueChange.Name, _ language: PageLanguage) -> String {
        guard let value, !value.isEmpty else { return none }
        let words = ProductWords.words(language)
        switch name {
        case .kind: return words.name(Product.Kind(rawValue: value))
        case .isForSale, .familySharing: return value == "yes" ? words.yes : words.no
        case .period, .contactBonus: return SubscriptionPeriod(iso8601: value).map { language.length($0) } ?? value
        case .gracePeriod: return fill(\.days, ["count": value])
        case .price: return price(value, in: .unitedStates, language)
        case .priceIn(let country): return price(value, in: Storefront.named(country), language)
        default: return ChangeList.shortened(value).isolated
        }
    }

    /// A decimal as a price of a storefront, and every other text as it is.
    private func price(_ value: String, in storefront: Storefront?, _ language: PageLanguage) -> String {
        guard let storefront, let milliunits = try? Money.milliunits(of: value) else {
            return ChangeList.shortened(value).isolated
        }
        return language.price(Money(milliunits: milliunits, currency: storefront.currency))
    }
}

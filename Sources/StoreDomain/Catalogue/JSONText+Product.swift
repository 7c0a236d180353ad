// SPDX-License-Identifier: Apache-2.0

import Foundation

// The parts of a configuration file, as Xcode writes them.
extension JSONText {
    /// A file without products, in the format 4.0.
    static func emptyConfiguration(of bundleIdentifier: BundleIdentifier) -> JSONText {
        .sorted([
            "identifier": .internalIdentifier(of: bundleIdentifier.rawValue),
            ConfigurationKeys.nonRenewing: .array([]), ConfigurationKeys.products: .array([]),
            "settings": .object([]), ConfigurationKeys.groups: .array([]),
            "version": .sorted(["major": .scalar("4"), "minor": .scalar("0")]),
        ])
    }

    /// A product that the file doesn't have yet.
    static func element(of product: Product) -> JSONText {
        var blank = product
        blank.prices = [:]
        blank.pricing = .sameNumber
        blank.exclusions = []
        blank.contactBonus = nil
        blank.offers = []
        var element: JSONText = .sorted([
            "displayPrice": .string(product.milliunits.decimal), "familyShareable": .flag(product.isFamilyShareable),
            "internalID": .internalIdentifier(of: product.productIdentifier.rawValue),
            "localizations": .localizations(product.localizations),
            "productID": .string(product.productIdentifier.rawValue),
            "referenceName": .string(product.referenceName), "type": .type(of: product),
        ])
        if let plan = product.plan {
            element.set(plan)
            for key in Self.offerLists.values { element[key] = .array([]) }
            element[ConfigurationKeys.introductoryOffer] = .scalar("null")
        }
        element.edit(from: blank, to: product)
        return element
    }

    /// Writes the values in which a product differs from that of the file.
    mutating func edit(from old: Product, to new: Product) {
        if old.milliunits != new.milliunits { self["displayPrice"] = .string(new.milliunits.decimal) }
        if old.isFamilyShareable != new.isFamilyShareable { self["familyShareable"] = .flag(new.isFamilyShareable) }
        if old.referenceName != new.referenceName { self["referenceName"] = .string(new.referenceName) }
        if old.kind != new.kind { self["type"] = .type(of: new) }
        if Set(old.localizations) != Set(new.localizations) { edit(new.localizations) }
        if old.plan != new.plan {
            if let plan = new.plan {
                set(plan)
            } else {
                for key in ConfigurationKeys.ofPlans { self[key] = nil }
            }
        }
        if old.prices != new.prices || old.pricing != new.pricing || old.exclusions != new.exclusions
            || old.contactBonus != new.contactBonus
        {
            setTerms(of: new, from: old)
        }
        editOffers(from: old, to: new)
    }

    /// Turns the grace period of the file's settings on or off.
    mutating func setGracePeriod(_ isOn: Bool) {
        var settings = self["settings"] ?? .object([])
        settings[ConfigurationKeys.gracePeriod] = .flag(isOn)
        self["settings"] = settings
    }

    static func localizations(_ localizations: [Product.Localization]) -> JSONText {
        .array(
            localizations.map {
                .sorted([
                    "description": .string($0.description), "displayName": .string($0.title),
                    "locale": .string($0.locale),
                ])
            })
    }

    /// Writes the texts of each locale into its own object of the file, so
    /// that the order and other keys stay.
    private mutating func edit(_ localizations: [Product.Localization]) {
        var rest = Dictionary(localizations.map { ($0.locale, $0) }) { first, _ in first }
        var elements: [JSONText] = []
        for var element in self["localizations"]?.elements ?? [] {
            guard let locale = element["locale"]?.string, let text = rest.removeValue(forKey: locale) else { continue }
            if element["displayName"]?.string != text.title { element["displayName"] = .string(text.title) }
            if element["description"]?.string != text.description { element["description"] = .string(text.description) }
            elements.append(element)
        }
        let new = rest.values.sorted { $0.locale < $1.locale }
        self["localizations"] = .array(elements + Self.localizations(new).elements)
    }

    private mutating func set(_ plan: Product.Plan) {
        self["groupNumber"] = .scalar("\(plan.level)")
        self["recurringSubscriptionPeriod"] = .string(plan.period.iso8601)
        self["subscriptionGroupID"] = .string(plan.group.rawValue)
    }

    private mutating func setTerms(of product: Product, from old: Product) {
        var terms = self[ConfigurationKeys.storeTerms] ?? .object([])
        terms["prices"] = product.prices.isEmpty ? nil : .prices(product.prices)
        terms["pricing"] = product.pricing == .sameNumber ? nil : .string(product.pricing.name)
        terms["notSoldIn"] =
            product.exclusions.isEmpty ? nil : .array(product.exclusions.sorted().map { .string($0) })
        if old.contactBonus != product.contactBonus {
            terms["sharesContact"] = product.contactBonus.map { .sorted(["bonus": .string($0.iso8601)]) }
        }
        self[ConfigurationKeys.storeTerms] = terms == .object([]) ? nil : terms
    }

    /// Prices by country.
    static func prices(_ prices: [String: Int64]) -> JSONText {
        .sorted(Dictionary(uniqueKeysWithValues: prices.map { ($0, .string($1.decimal(in: $0))) }))
    }

    static func flag(_ isOn: Bool) -> JSONText { .scalar(isOn ? "true" : "false") }

    private static func type(of product: Product) -> JSONText {
        let types = Product.Kind.inLists.merging(Product.Kind.inGroups) { first, _ in first }
        return .string(types.first { $0.value == product.kind }?.key ?? product.kind.rawValue)
    }

    /// Eight hexadecimal digits, as Xcode's own, but the same in each export.
    static func internalIdentifier(of name: String) -> JSONText {
        .string(Data(name.utf8).fingerprint.prefix(8).uppercased())
    }
}

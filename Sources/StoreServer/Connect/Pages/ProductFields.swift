// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The fields of a product's form.
struct ProductFields {
    let visit: ConnectVisit
    let words: ProductWords
    /// The app's language, which a new product's first texts have.
    let primary: String

    init(_ visit: ConnectVisit, primary: String?) {
        self.visit = visit
        words = .words(visit.language)
        self.primary = primary ?? "en_US"
    }

    /// The fields of a new product that never change.
    func identity(_ kind: Product.Kind, groups: [SubscriptionGroup]) -> [ConsoleField] {
        let identifier = visit.field(
            ConsoleField("product", words.identifier, value: visit.value("product"), hint: words.identifierHint))
        guard kind == .autoRenewable else { return [identifier] }
        let options =
            [ConsoleOption("", words.newGroup)]
            + groups.map { ConsoleOption($0.identifier.rawValue, $0.referenceName) }
        return [
            identifier,
            visit.field(
                ConsoleField(
                    "group", words.group, options: options,
                    chosen: visit.value("group", groups.first?.identifier.rawValue ?? ""), hint: words.groupHint)),
            visit.field(
                ConsoleField("newGroup", words.newGroupName, value: visit.value("newGroup"), isRequired: false)),
            visit.field(
                ConsoleField(
                    "period", words.period,
                    options: ProductRegistration.periods.compactMap { text in
                        SubscriptionPeriod(iso8601: text).map { ConsoleOption(text, visit.language.length($0)) }
                    }, chosen: visit.value("period", "P1M"))),
        ]
    }

    /// The fields of a product; of a new one of a kind for `nil`.
    func values(of found: ProductRegistration?, _ kind: Product.Kind) -> [ConsoleField] {
        let reference = text("reference", words.reference, found?.product.referenceName ?? "", words.referenceHint)
        let level =
            kind == .autoRenewable
            ? [text("level", words.level, String(found?.product.plan?.level ?? 1), words.levelHint), bonus(of: found)]
            : []
        let note = ConsoleField(
            "note", words.reviewNote, lines: visit.value("note", found?.reviewNote ?? ""), hint: words.reviewNoteHint)
        return [reference] + level + texts(of: found) + (found?.canChangePrice == false ? [] : prices(of: found))
            + sharing(found, kind) + [
                lines(
                    "exclusions", words.exclusions,
                    found?.product.exclusions.sorted().joined(separator: " ") ?? "", words.exclusionsHint),
                choice("cleared", words.cleared, found?.isCleared == false ? "no" : "yes"),
                visit.field(note, stored: found?.reviewNote ?? ""),
            ]
    }

    private func bonus(of found: ProductRegistration?) -> ConsoleField {
        let words = ContactWords.words(visit.language)
        let stored = found?.product.contactBonus?.iso8601 ?? ""
        let usual = ProductRegistration.periods
        let lengths = usual.contains(stored) || stored.isEmpty ? usual : usual + [stored]
        let field = ConsoleField(
            "contactBonus", words.bonus,
            options: [ConsoleOption("", words.noBonus)]
                + lengths.compactMap { text in
                    SubscriptionPeriod(iso8601: text).map { ConsoleOption(text, visit.language.length($0)) }
                }, chosen: visit.value("contactBonus", stored), hint: words.bonusHint, isRequired: false)
        return visit.field(field, stored: stored)
    }

    private func sharing(_ found: ProductRegistration?, _ kind: Product.Kind) -> [ConsoleField] {
        let canBeOn = found?.canTurnSharingOn ?? (kind == .nonConsumable || kind == .autoRenewable)
        guard canBeOn else { return [] }
        var field = choice("family", words.family, "no")
        field.hint = words.familyHint
        return [field]
    }

    private func prices(of found: ProductRegistration?) -> [ConsoleField] {
        let tier = found.flatMap { $0.hasPrice ? PriceTier.of($0.product) : nil }
        var options = [ConsoleOption("", words.noPrice)]
        var stored = tier.map { String($0.number) } ?? ""
        if let found, found.hasPrice, tier == nil {
            stored = ProductRegistration.Values.keep
            options.append(ConsoleOption(stored, visit.language.price(found.product.price(in: .unitedStates))))
        }
        options += Self.tiers(visit.language)
        let field = ConsoleField(
            "tier", words.price, options: options, chosen: visit.value("tier", stored), isRequired: false)
        return [
            visit.field(field, stored: stored),
            lines("prices", words.otherPrices, found?.product.ownPrices ?? "", words.otherPricesHint),
        ]
    }

    /// The choices of a price tier.
    static func tiers(_ language: PageLanguage) -> [ConsoleOption] { allTiers[language] ?? [] }

    /// The choices in each language, made once: their prices are formatted for a person.
    private static let allTiers = Dictionary(uniqueKeysWithValues: PageLanguage.allCases.map { ($0, makeTiers($0)) })

    private static func makeTiers(_ language: PageLanguage) -> [ConsoleOption] {
        let words = ProductWords.words(language)
        return PriceTier.all.map { tier in
            let price = language.price(Money(milliunits: tier.milliunits, currency: "USD"))
            return ConsoleOption(
                String(tier.number), words.fill(\.tierIs, ["number": tier.name, "price": price]))
        }
    }

    private func texts(of found: ProductRegistration?) -> [ConsoleField] {
        let stored = found?.product.localizations ?? []
        let typed = visit.typed.fields.keys.filter { $0.hasPrefix("title-") }.map { String($0.dropFirst(6)) }
        var locales = Set(stored.map(\.locale) + typed.filter(AppRegistration.locales.contains))
        if locales.isEmpty { locales = [primary] }
        let fields = locales.sorted().flatMap { locale in
            let saved = stored.first { $0.locale == locale }
            return [
                optional("title-\(locale)", words.fill(\.title, ["locale": locale]), saved?.title ?? ""),
                optional(
                    "description-\(locale)", words.fill(\.description, ["locale": locale]), saved?.description ?? ""),
            ]
        }
        guard found != nil else { return fields }
        let others = AppRegistration.locales.filter { !locales.contains($0) }
        let language = ConsoleField(
            "newLocale", words.newLocale,
            options: [ConsoleOption("", words.noLocale)] + others.map { ConsoleOption($0, $0) },
            chosen: visit.value("newLocale"), isRequired: false)
        return fields + [
            visit.field(language), optional("newTitle", words.newTitle, ""),
            optional("newDescription", words.newDescription, ""),
        ]
    }

    private func text(_ name: String, _ label: String, _ stored: String, _ hint: String) -> ConsoleField {
        visit.field(ConsoleField(name, label, value: visit.value(name, stored), hint: hint), stored: stored)
    }

    private func optional(_ name: String, _ label: String, _ stored: String) -> ConsoleField {
        visit.field(ConsoleField(name, label, value: visit.value(name, stored), isRequired: false), stored: stored)
    }

    private func lines(_ name: String, _ label: String, _ stored: String, _ hint: String) -> ConsoleField {
        visit.field(ConsoleField(name, label, lines: visit.value(name, stored), hint: hint), stored: stored)
    }

    private func choice(_ name: String, _ label: String, _ stored: String) -> ConsoleField {
        let field = ConsoleField(name, label, options: words.yesOrNo, chosen: visit.value(name, stored))
        return visit.field(field, stored: stored)
    }

    /// The values of a sent form.
    static func values(_ form: ConnectForm) -> ProductRegistration.Values {
        let locales = form.fields.keys.filter { $0.hasPrefix("title-") }.map { String($0.dropFirst(6)) }
        var values = ProductRegistration.Values()
        values.referenceName = form["reference"]
        values.tier = form["tier"]
        values.otherPrices = form["prices"]
        values.exclusions = form["exclusions"]
        values.isCleared = form["cleared"] == "yes"
        values.isFamilyShareable = form["family"] == "yes"
        values.level = form["level"]
        values.contactBonus = form["contactBonus"]
        values.reviewNote = form["note"]
        values.texts = locales.sorted().map { locale in
            Product.Localization(
                locale: locale, title: form["title-\(locale)"], description: form["description-\(locale)"])
        }
        values.texts.append(
            Product.Localization(
                locale: form["newLocale"], title: form["newTitle"], description: form["newDescription"]))
        return values
    }
}

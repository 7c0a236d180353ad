// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The fields of the form of an item, and of an app's store page.
struct TeamItemFields {
    private let visit: ConnectVisit
    private let words: TeamItemWords
    private let products: ProductWords

    init(_ visit: ConnectVisit) {
        self.visit = visit
        words = .words(visit.language)
        products = .words(visit.language)
    }

    /// The fields of an item; of a new one for `nil`.
    func values(of item: Item?) -> [ConsoleField] {
        let kind = ConsoleField(
            "kind", words.kind, options: words.kinds, chosen: visit.value("kind", item?.kind.rawValue ?? "book"))
        return [visit.field(kind, stored: item?.kind.rawValue ?? "")] + texts(of: item) + [
            text("version", words.version, item?.version ?? "", words.versionHint),
            link(of: item),
            text("price", words.price, item.map { $0.product.milliunits.decimal } ?? "", words.priceHint),
            lines("prices", products.otherPrices, item?.product.ownPrices ?? "", products.otherPricesHint),
        ] + availability(of: item)
    }

    /// The fields of an app's store page.
    func values(of page: RegisteringStorePage.Page) -> [ConsoleField] {
        let item = page.item
        let tier = item.flatMap { PriceTier.of($0.product) }.map { String($0.number) }
        let stored = tier ?? (item == nil ? "" : ProductRegistration.Values.keep)
        // Without an option for a price that is missing, a browser would choose the first tier, which is free.
        var options = [ConsoleOption("", products.noPrice)] + ProductFields.tiers(visit.language)
        if let item, tier == nil {
            options.insert(ConsoleOption(stored, visit.language.price(item.product.price(in: .unitedStates))), at: 1)
        }
        // Another user may have saved a tier since the form had the price that isn't one.
        let typed = visit.value("tier", stored)
        let chosen = options.contains { $0.value == typed } ? typed : ""
        let price = ConsoleField("tier", products.price, options: options, chosen: chosen)
        return texts(of: item, primary: page.app.primaryLocale ?? "en_US", title: page.app.name) + [
            link(of: item), visit.field(price, stored: stored),
            lines("prices", products.otherPrices, page.otherPrices, products.otherPricesHint),
        ] + availability(of: item)
    }

    private func link(of item: Item?) -> ConsoleField {
        text("link", words.link, item?.link ?? "", words.linkHint, type: "url")
    }

    /// The countries and the first day.
    private func availability(of item: Item?) -> [ConsoleField] {
        let day = item?.firstDay ?? ""
        return [
            lines(
                "exclusions", products.exclusions, item?.product.exclusions.sorted().joined(separator: " ") ?? "",
                products.exclusionsHint),
            visit.field(
                ConsoleField(
                    "firstDay", words.firstDay, type: "date", value: visit.value("firstDay", day),
                    hint: words.firstDayHint, isRequired: false), stored: day),
        ]
    }

    /// The texts, with those of the primary language of a new item.
    private func texts(of item: Item?, primary: String = "en_US", title: String = "") -> [ConsoleField] {
        let stored = item?.product.localizations ?? []
        let typed = visit.typed.fields.keys.filter { $0.hasPrefix("title-") }.map { String($0.dropFirst(6)) }
        var locales = Set(stored.map(\.locale) + typed.filter(AppRegistration.locales.contains))
        if locales.isEmpty { locales = [primary] }
        let fields = locales.sorted().flatMap { locale in
            let saved = stored.first { $0.locale == locale }
            let title = ConsoleField(
                "title-\(locale)", products.fill(\.title, ["locale": locale]),
                value: visit.value("title-\(locale)", saved?.title ?? (item == nil ? title : "")),
                isRequired: locales.count == 1)
            return [
                visit.field(title, stored: saved?.title ?? ""),
                lines(
                    "description-\(locale)", products.fill(\.description, ["locale": locale]),
                    saved?.description ?? "", nil),
            ]
        }
        guard item != nil else { return fields }
        let others = AppRegistration.locales.filter { !locales.contains($0) }
        let language = ConsoleField(
            "newLocale", products.newLocale,
            options: [ConsoleOption("", products.noLocale)] + others.map { ConsoleOption($0, $0) },
            chosen: visit.value("newLocale"), isRequired: false)
        return fields + [
            visit.field(language),
            visit.field(
                ConsoleField("newTitle", products.newTitle, value: visit.value("newTitle"), isRequired: false)),
            lines("newDescription", products.newDescription, "", nil),
        ]
    }

    private func text(
        _ name: String, _ label: String, _ stored: String, _ hint: String, type: String = "text"
    ) -> ConsoleField {
        visit.field(
            ConsoleField(name, label, type: type, value: visit.value(name, stored), hint: hint), stored: stored)
    }

    private func lines(_ name: String, _ label: String, _ stored: String, _ hint: String?) -> ConsoleField {
        visit.field(ConsoleField(name, label, lines: visit.value(name, stored), hint: hint), stored: stored)
    }

    /// The values of a form.
    static func values(_ form: ConnectForm) -> Item.Values {
        var values = Item.Values()
        (values.kind, values.version, values.link) = (form["kind"], form["version"], form["link"])
        (values.price, values.otherPrices, values.exclusions) = (form["price"], form["prices"], form["exclusions"])
        (values.tier, values.firstDay) = (form["tier"], form["firstDay"])
        let locales = form.fields.keys.filter { $0.hasPrefix("title-") }.map { String($0.dropFirst(6)) }.sorted()
        values.texts = locales.map { locale in
            Product.Localization(
                locale: locale, title: form["title-\(locale)"], description: form["description-\(locale)"])
        }
        values.texts.append(
            Product.Localization(
                locale: form["newLocale"], title: form["newTitle"], description: form["newDescription"]))
        return values
    }
}

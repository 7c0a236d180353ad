// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension Item.Values {
    /// The values of a store page, with those that a body replaces, as a JSON
    /// merge patch (RFC 7396).
    init(of page: RegisteringStorePage.Page, changedBy body: inout ConnectBody) {
        self.init()
        if let item = page.item {
            link = item.link
            tier = PriceTier.of(item.product).map { String($0.number) } ?? ProductRegistration.Values.keep
            exclusions = item.product.exclusions.sorted().joined(separator: " ")
            firstDay = item.firstDay
        }
        if let text = body.text("link") { link = text }
        if let number = body.number("tier") { tier = number }
        if let day = body.text("firstDay") { firstDay = day }
        if let countries = body.texts("exclusions") { exclusions = countries.joined(separator: " ") }
        otherPrices = body.prices(replacing: page.otherPrices)
        texts = body.localizations(replacing: page.item?.product.localizations ?? [])
    }
}

extension ConnectBody {
    /// Prices of single countries, one a line, with those that the body
    /// replaces. A price of null is removed.
    mutating func prices(replacing text: String) -> String {
        guard let prices = textsByName("prices") else { return text }
        let replaced = Set(prices.keys.map { $0.uppercased() })
        var lines = text.split(separator: "\n").filter { !replaced.contains(String($0.prefix { $0 != " " })) }
            .map(String.init)
        for (country, price) in prices.sorted(by: { $0.key < $1.key }) {
            if let line = price.flatMap({ priceLine(country, $0) }) { lines.append(line) }
        }
        return lines.sorted().joined(separator: "\n")
    }

    /// Texts by language, with those that the body replaces. A language of null
    /// is removed.
    mutating func localizations(replacing stored: [Product.Localization]) -> [Product.Localization] {
        guard let changes = objectsByName("texts") else { return stored }
        var texts = stored.filter { changes[$0.locale] == nil }
        let replaced = Dictionary(stored.map { ($0.locale, $0) }) { first, _ in first }
        for (locale, change) in changes.sorted(by: { $0.key < $1.key }) {
            guard let change else { continue }
            var text = replaced[locale] ?? Product.Localization(locale: locale, title: "", description: "")
            for name in change.keys.sorted() where name != "title" && name != "description" {
                add("texts.\(locale.prefix(40)).\(name.prefix(40))", .unknown)
            }
            text.title = change["title"] ?? text.title
            text.description = change["description"] ?? text.description
            texts.append(text)
        }
        return texts
    }
}

// SPDX-License-Identifier: Apache-2.0

extension Item {
    /// The values of an item's form in Connect.
    package struct Values: Sendable {
        package var kind = ""
        package var version = ""
        package var link = ""
        /// A decimal such as `0.99`.
        package var price = ""
        /// Prices of single storefronts, one a line: `DEU 1.19`.
        package var otherPrices = ""
        /// The country codes of storefronts in which it isn't sold.
        package var exclusions = ""
        /// The texts by locale. A language whose texts are both empty is left
        /// out.
        package var texts: [Product.Localization] = []

        package init() {}
    }

    /// The kinds that teams register in Connect.
    package static let kindsOfTeams = Kind.allCases.filter { $0 != .app }

    /// Makes an item of the values of a form. The languages of the item that
    /// it changes stay also if no storefront has them: the operator chooses
    /// others.
    ///
    /// - Throws: ``InvalidFields``.
    init(checking values: Values, identifier: Int64, of team: Team, changing before: Item? = nil) throws {
        var checks = FieldChecks()
        let kind = Self.kindsOfTeams.first { $0.rawValue == values.kind }
        if kind == nil { checks.add("kind", values.kind.isEmpty ? .missing : .unknown) }
        let version = checks.text(values.version, field: "version", longest: Self.longestVersion)
        let link = values.link.trimmingWhitespace()
        if !Self.isLink(link) { checks.add("link", link.isEmpty ? .missing : .malformed) }
        let price = values.price.trimmingWhitespace()
        let milliunits = try? Money.milliunits(of: price)
        if milliunits == nil { checks.add("price", price.isEmpty ? .missing : .malformed) }
        let texts = Self.texts(values.texts, over: before?.product.localizations ?? [], &checks)
        var product = Product(
            bundleIdentifier: Self.catalogue, productIdentifier: Self.product(of: identifier), kind: .nonConsumable,
            referenceName: texts.first?.title ?? "", milliunits: milliunits ?? 0, localizations: texts)
        product.prices = ProductRegistration.prices(values.otherPrices, &checks)
        product.exclusions = ProductRegistration.countries(values.exclusions, &checks)
        try checks.finish()
        self.init(
            identifier: identifier, kind: kind ?? .book, app: nil, seller: team.name, version: version, link: link,
            product: product)
        self.team = team.identifier
    }

    private static func texts(
        _ texts: [Product.Localization], over stored: [Product.Localization], _ checks: inout FieldChecks
    ) -> [Product.Localization] {
        let locales = Set(AppRegistration.locales + stored.map(\.locale))
        var kept: [Product.Localization] = []
        for var text in texts {
            (text.title, text.description) = (text.title.trimmingWhitespace(), text.description.trimmingWhitespace())
            if text.title.isEmpty, text.description.isEmpty { continue }
            guard locales.contains(text.locale) else {
                checks.add("newLocale", text.locale.isEmpty ? .missing : .unknown)
                continue
            }
            if kept.contains(where: { $0.locale == text.locale }) { checks.add("newLocale", .taken) }
            text.title = checks.text(text.title, field: "title-\(text.locale)", longest: longestTitle)
            if !text.description.isEmpty {
                text.description = checks.text(
                    text.description, field: "description-\(text.locale)", longest: longestDescription,
                    isOneLine: false)
            }
            kept.append(text)
        }
        if kept.count > languages { checks.add("newLocale", .tooLarge) }
        if kept.isEmpty { checks.add("title-\(texts.first?.locale ?? "en_US")", .missing) }
        return kept.sorted { $0.locale < $1.locale }
    }

    /// The values for the log.
    var facts: String {
        let texts = product.localizations.map { "\($0.locale): \($0.title)" }
        return
            ([kind.rawValue, version, link, product.milliunits.decimal] + texts
            + product.prices.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.decimal)" }
            + [product.exclusions.sorted().joined(separator: " ")]).filter { !$0.isEmpty }.joined(separator: "; ")
    }
}

// SPDX-License-Identifier: Apache-2.0

extension Item {
    /// The values of an item's form in Connect.
    package struct Values: Sendable {
        package var kind = ""
        package var version = ""
        package var link = ""
        /// A decimal such as `0.99`; an app has ``tier`` instead.
        package var price = ""
        /// The number of a tier, the price of an app;
        /// ``ProductRegistration/Values/keep`` for its present price.
        package var tier = ""
        /// Prices of single storefronts, one a line: `DEU 1.19`.
        package var otherPrices = ""
        /// The country codes of storefronts in which it isn't sold.
        package var exclusions = ""
        /// The first day on which it is sold, such as `2026-12-31` (UTC); empty
        /// for none.
        package var firstDay = ""
        /// The texts by locale. A language whose texts are both empty is left
        /// out.
        package var texts: [Product.Localization] = []

        /// The most days until an item is sold.
        package static let mostDays = 731

        package init() {}
    }

    /// The kinds that teams register in Connect.
    package static let kindsOfTeams = Kind.allCases.filter { $0 != .app }

    /// Makes an item of the values of a form. The languages of the item that
    /// it changes stay also if no storefront has them: the operator chooses
    /// others.
    ///
    /// - Throws: ``InvalidFields``.
    init(
        checking values: Values, identifier: Int64, of team: Team, replacing before: Item? = nil, at now: WallTime
    ) throws {
        var checks = FieldChecks()
        let kind = Self.kindsOfTeams.first { $0.rawValue == values.kind }
        if kind == nil { checks.add("kind", values.kind.isEmpty ? .missing : .unknown) }
        let version = checks.text(values.version, field: "version", longest: Self.longestVersion)
        let link = Self.link(values.link, &checks)
        let price = values.price.trimmingWhitespace()
        let milliunits = try? Money.milliunits(of: price, in: "USD")
        if milliunits == nil { checks.add("price", price.isEmpty ? .missing : .malformed) }
        var product = Self.product(values, numbered: identifier, replacing: before, &checks)
        let old = before?.product
        product.pricing = old?.milliunits == milliunits ? old?.pricing ?? .equalised : .equalised
        product.milliunits = milliunits ?? 0
        product.prices = ProductRegistration.prices(values.otherPrices, &checks)
        let available = Self.available(values.firstDay, before?.available, at: now, &checks)
        try checks.finish()
        self.init(
            identifier: identifier, kind: kind ?? .book, app: nil, seller: team.name, version: version, link: link,
            product: product)
        self.team = team.identifier
        self.available = available
    }

    /// Makes the item of an app of the values of its store page's form. Its
    /// version is that of the item before. A new item has no number yet.
    ///
    /// - Throws: ``InvalidFields``.
    init(
        checking values: Values, of app: AppRegistration, by team: Team, replacing before: Item?, at now: WallTime
    ) throws {
        var checks = FieldChecks()
        let identifier = before?.identifier ?? 0
        let link = Self.link(values.link, &checks)
        var product = Self.product(values, numbered: identifier, replacing: before, &checks)
        Self.setPrice(values, of: &product, replacing: before?.product, &checks)
        let available = Self.available(values.firstDay, before?.available, at: now, &checks)
        try checks.finish()
        self.init(
            identifier: identifier, kind: .app, app: app.bundleIdentifier, seller: before?.seller ?? team.name,
            version: before?.version ?? "", link: link, product: product)
        self.team = team.identifier
        self.available = available
    }

    private static func link(_ typed: String, _ checks: inout FieldChecks) -> String {
        let link = typed.trimmingWhitespace()
        if !isLink(link) { checks.add("link", link.isEmpty ? .missing : .malformed) }
        return link
    }

    /// The product of an item without its prices.
    private static func product(
        _ values: Values, numbered identifier: Int64, replacing before: Item?, _ checks: inout FieldChecks
    ) -> Product {
        let texts = Self.texts(values.texts, replacing: before?.product.localizations ?? [], &checks)
        var product = Product(
            bundleIdentifier: catalogue, productIdentifier: Self.product(of: identifier), kind: .nonConsumable,
            referenceName: texts.first?.title ?? "", milliunits: 0, localizations: texts)
        product.exclusions = ProductRegistration.countries(values.exclusions, &checks)
        return product
    }

    private static func setPrice(
        _ values: Values, of product: inout Product, replacing before: Product?, _ checks: inout FieldChecks
    ) {
        let others = ProductRegistration.prices(values.otherPrices, &checks)
        if values.tier == ProductRegistration.Values.keep, let before {
            (product.milliunits, product.pricing, product.prices) = (before.milliunits, before.pricing, others)
        } else if let tier = PriceTier.numbered(values.tier) {
            product.set(tier)
            product.prices = others
        } else {
            checks.add("tier", values.tier.isEmpty ? .missing : .unknown)
        }
    }

    /// The first day on which an item is sold, as forms have it: `2026-12-31`;
    /// empty for none.
    package var firstDay: String {
        available.map { CivilDate(dayNumber: Int(max(0, $0.milliseconds) / 86_400_000)).text } ?? ""
    }

    /// The start of the first day of a form. A day that is over stays as it is.
    private static func available(
        _ typed: String, _ before: WallTime?, at now: WallTime, _ checks: inout FieldChecks
    ) -> WallTime? {
        let text = typed.trimmingWhitespace()
        if text.isEmpty { return nil }
        guard let start = Self.start(ofDay: text) else {
            checks.add("firstDay", .malformed)
            return nil
        }
        if start != before, start > now + .seconds(Values.mostDays * 86_400) {
            checks.add("firstDay", .tooFar, limit: Values.mostDays)
        }
        return start
    }

    /// The start of a day such as `2026-12-31` (UTC); `nil` for another text.
    static func start(ofDay text: String) -> WallTime? {
        CivilDate.number(of: text).map { WallTime(milliseconds: Int64($0) * 86_400_000) }
    }

    /// The checked texts. The saved languages stay also if no storefront has
    /// them.
    private static func texts(
        _ texts: [Product.Localization], replacing stored: [Product.Localization], _ checks: inout FieldChecks
    ) -> [Product.Localization] {
        var kept: [Product.Localization] = []
        for var text in texts {
            (text.title, text.description) = (text.title.trimmingWhitespace(), text.description.trimmingWhitespace())
            if text.title.isEmpty, text.description.isEmpty { continue }
            guard stored.contains(where: { $0.locale == text.locale }) || AppRegistration.locales.contains(text.locale)
            else {
                checks.add("newLocale", text.locale.isEmpty ? .missing : .unknown)
                continue
            }
            if kept.contains(where: { $0.locale == text.locale }) { checks.add("newLocale", .taken) }
            text.title = checks.text(text.title, field: "title-\(text.locale)", longest: longestTitle)
            text.description = text.description.replacing("\r\n", with: "\n")
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
        let prices = product.prices.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.decimal(in: $0.key))" }
        let values =
            [kind.rawValue, version, link, product.milliunits.decimal, product.pricing.name] + texts + prices
            + [product.exclusions.sorted().joined(separator: " "), firstDay]
        return values.filter { !$0.isEmpty }.joined(separator: "; ")
    }
}

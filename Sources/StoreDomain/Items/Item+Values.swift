// SPDX-License-Identifier: Apache-2.0

extension Item {
    /// Makes an item of the texts that a seller has written.
    ///
    /// - Throws: ``DomainError`` `invalid` for a price, a country, a day or a
    ///   locale that isn't one.
    package init(
        identifier: Int64, kind: Kind, app: BundleIdentifier?, seller: String, version: String, link: String,
        price: String, prices: [String: String], notSoldIn: Set<String>, firstDay: String? = nil,
        texts: [Product.Localization]
    ) throws {
        var product = Product(
            bundleIdentifier: Self.catalogue, productIdentifier: Self.product(of: identifier), kind: .nonConsumable,
            referenceName: texts.min { $0.locale < $1.locale }?.title ?? "",
            milliunits: try SettingPrice.milliunits(price, in: nil),
            localizations: try texts.map(Self.checked).sorted { $0.locale < $1.locale })
        for (country, price) in prices {
            let storefront = try Storefront.known(country)
            product.prices[storefront.countryCode] = try SettingPrice.milliunits(price, in: storefront)
        }
        product.exclusions = Set(try notSoldIn.map { try Storefront.known($0).countryCode })
        self.init(
            identifier: identifier, kind: kind, app: app, seller: seller, version: version, link: link,
            product: product)
        available = try firstDay.map { text in
            guard let start = Self.start(ofDay: text) else {
                throw DomainError(.invalid, "The first day \"\(text.prefix(64))\" isn't a day such as 2026-12-31.")
            }
            return start
        }
    }

    private static func checked(_ text: Product.Localization) throws -> Product.Localization {
        var text = text
        guard let locale = try Account.checkedLocale(text.locale) else {
            throw DomainError(.invalid, "Each text of an item has a language, such as en or de_DE.")
        }
        text.locale = locale
        return text
    }
}

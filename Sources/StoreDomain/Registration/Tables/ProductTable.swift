// SPDX-License-Identifier: Apache-2.0

/// A table of the prices and texts of an app's products: a row for each
/// product, a column for each value.
///
/// The columns are `product_id`, `reference_name`, `price`, `price:DEU` for a
/// storefront, `name:en_US` and `description:en_US` for a language. A column or
/// a product that a table lacks keeps its values.
package struct ProductTable: Sendable {
    /// A column of a table.
    package enum Column: Hashable, Sendable {
        case identifier
        case reference
        case price
        /// The price of a storefront, by its country code.
        case priceIn(String)
        /// The display name in a language.
        case title(String)
        /// The description in a language.
        case description(String)

        /// The name in the first row.
        package var name: String {
            switch self {
            case .identifier: "product_id"
            case .reference: "reference_name"
            case .price: "price"
            case .priceIn(let country): "price:\(country)"
            case .title(let locale): "name:\(locale)"
            case .description(let locale): "description:\(locale)"
            }
        }

        /// The column with a name; `nil` for an unknown one. `locales` are the
        /// languages besides those of the store that a product has.
        init?(_ name: String, locales: Set<String>) {
            let parts = name.trimmingWhitespace().split(separator: ":", maxSplits: 1).map(String.init)
            switch (parts.first?.lowercased(), parts.dropFirst().first) {
            case ("product_id", nil): self = .identifier
            case ("reference_name", nil): self = .reference
            case ("price", nil): self = .price
            case ("price", let country?):
                guard let storefront = try? Storefront.known(country.uppercased()) else { return nil }
                self = .priceIn(storefront.countryCode)
            case ("name", let locale?):
                guard locales.contains(locale) || AppRegistration.locales.contains(locale) else { return nil }
                self = .title(locale)
            case ("description", let locale?):
                guard locales.contains(locale) || AppRegistration.locales.contains(locale) else { return nil }
                self = .description(locale)
            default: return nil
            }
        }
    }

    /// The table of the present values, as a file with at most
    /// ``CSVText/mostColumns``: an app with more languages keeps the texts of
    /// those that aren't in it.
    static func text(of products: [ProductRegistration]) -> String {
        let countries = Set(products.flatMap(\.product.prices.keys)).sorted()
        let first = [Column.identifier, .reference, .price] + countries.map(Column.priceIn)
        let locales = Set(products.flatMap { $0.product.localizations.map(\.locale) }).sorted()
            .prefix((CSVText.mostColumns - first.count) / 2)
        let columns = first + locales.flatMap { [Column.title($0), .description($0)] }
        let ordered = products.sorted { $0.product.productIdentifier < $1.product.productIdentifier }
        let lines = ordered.map { product in CSVText.line(columns.map { product.cell($0) }) }
        return "\u{FEFF}" + CSVText.line(columns.map(\.name)) + lines.joined()
    }
}

extension ProductRegistration {
    /// The value of a column; empty for none.
    func cell(_ column: ProductTable.Column) -> String {
        switch column {
        case .identifier: product.productIdentifier.rawValue
        case .reference: product.referenceName
        case .price: hasPrice ? product.milliunits.decimal : ""
        case .priceIn(let country): product.prices[country]?.decimal(in: country) ?? ""
        case .title(let locale): product.localizations.first { $0.locale == locale }?.title ?? ""
        case .description(let locale): product.localizations.first { $0.locale == locale }?.description ?? ""
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A product with the values of a row of a table.
struct TableRow {
    private let before: ProductRegistration
    private let line: Int
    private(set) var product: ProductRegistration
    private(set) var problems: [TableDiff.Problem] = []

    init(_ before: ProductRegistration, line: Int) {
        self.before = before
        self.line = line
        product = before
    }

    /// Sets the value of a column. A text that is the stored one is kept, also
    /// if it has another length than Connect's.
    mutating func set(_ column: ProductTable.Column, to cell: String) {
        let stored = before.cell(column)
        guard cell != stored else { return }
        switch column {
        case .identifier: break
        case .reference:
            product.product.referenceName = text(cell, column, ProductRegistration.longestReferenceName)
            if product.product.referenceName.isEmpty { add(.missing, column) }
        case .price: setPrice(cell, column)
        case .priceIn(let country): setPrice(cell, column, in: country)
        case .title(let locale):
            let text = text(cell, column, ProductRegistration.longestTitle)
            localize(locale) { $0.title = text }
        case .description(let locale):
            let text = text(cell, column, ProductRegistration.longestDescription)
            localize(locale) { $0.description = text }
        }
    }

    /// Removes the languages whose texts are both empty.
    mutating func finish() {
        product.product.localizations.removeAll { $0.title.isEmpty && $0.description.isEmpty }
    }

    private mutating func localize(_ locale: String, _ change: (inout Product.Localization) -> Void) {
        if let place = product.product.localizations.firstIndex(where: { $0.locale == locale }) {
            return change(&product.product.localizations[place])
        }
        var text = Product.Localization(locale: locale, title: "", description: "")
        change(&text)
        product.product.localizations.append(text)
        product.product.localizations.sort { $0.locale < $1.locale }
    }

    private mutating func text(_ cell: String, _ column: ProductTable.Column, _ longest: Int) -> String {
        let text = cell.trimmingWhitespace()
        if text.count > longest {
            add(.tooLong, column, limit: longest)
        } else if text.unicodeScalars.contains(where: \.isInvisible) {
            add(.malformed, column)
        }
        return text
    }

    private mutating func setPrice(_ cell: String, _ column: ProductTable.Column, in country: String? = nil) {
        let text = cell.trimmingWhitespace()
        var price: Int64?
        if !text.isEmpty {
            let currency = country.flatMap(Storefront.named)?.currency ?? "USD"
            price = try? Money.milliunits(of: Self.decimal(text), in: currency)
            if price == nil { return add(.price, column) }
        } else if country == nil {
            if before.hasPrice { add(.missing, column) }
            return
        }
        let old = country.map { before.product.prices[$0] } ?? (before.hasPrice ? before.product.milliunits : nil)
        guard price != old else { return }
        guard before.canChangePrice else { return add(.fixedPrice, column) }
        if let country {
            product.product.prices[country] = price
        } else if let price {
            product.product.setBase(price)
            product.hasPrice = true
        }
    }

    /// A decimal as a spreadsheet of a country with decimal commas writes it.
    private static func decimal(_ text: String) -> String {
        text.contains(".") || text.count(where: { $0 == "," }) != 1 ? text : text.replacing(",", with: ".")
    }

    private mutating func add(_ kind: TableDiff.Problem.Kind, _ column: ProductTable.Column, limit: Int? = nil) {
        problems.append(TableDiff.Problem(kind: kind, line: line, column: column.name, limit: limit))
    }
}

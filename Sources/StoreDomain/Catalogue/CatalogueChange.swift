// SPDX-License-Identifier: Apache-2.0

/// A change that a configuration file makes in an app's catalogue.
package enum CatalogueChange: Hashable, Sendable {
    /// The product is new.
    case added(Product)
    /// The product has other values, which are named.
    case changed(Product, [String])
    /// The file doesn't contain the product any more.
    case withdrawn(ProductIdentifier)

    /// The product that changes.
    package var productIdentifier: ProductIdentifier {
        switch self {
        case .added(let product), .changed(let product, _): product.productIdentifier
        case .withdrawn(let identifier): identifier
        }
    }
}

/// The changes that a configuration file makes in an app's catalogue, and
/// those that it doesn't make because the product was edited elsewhere.
package struct CatalogueImport: Hashable, Sendable {
    /// A change that isn't made, with the edit that it would replace.
    package struct Refusal: Hashable, Sendable {
        package var change: CatalogueChange
        package var edit: ProductEdit
    }

    /// The file's name.
    package var file: String
    /// The changes in the order of the file, then the withdrawn products in
    /// the order of their identifiers.
    package var changes: [CatalogueChange] = []
    /// The changes that aren't made, in the same order.
    package var refusals: [Refusal] = []

    /// The import of a file without changes.
    init(file: String) {
        self.file = file
    }

    /// Compares a file with the products of an app.
    ///
    /// A product that was edited elsewhere since its last import stays as it
    /// is, unless `overwritesEdits`.
    init(
        of configuration: StoreKitConfigurationFile, over products: [CataloguedProduct], overwritesEdits: Bool
    ) {
        self.init(file: configuration.name)
        let before = Dictionary(products.map { ($0.product.productIdentifier, $0) }) { first, _ in first }
        func add(_ change: CatalogueChange) {
            let edit = before[change.productIdentifier]?.edit
            if let edit, edit.source != .file, !overwritesEdits {
                refusals.append(Refusal(change: change, edit: edit))
            } else {
                changes.append(change)
            }
        }
        for product in configuration.products {
            guard let old = before[product.productIdentifier]?.product else {
                add(.added(product))
                continue
            }
            let differences = old.differences(to: product)
            if !differences.isEmpty { add(.changed(product, differences)) }
        }
        let kept = Set(configuration.products.map(\.productIdentifier))
        let withdrawn = products.map(\.product).filter { $0.isForSale && !kept.contains($0.productIdentifier) }
        for identifier in withdrawn.map(\.productIdentifier).sorted() { add(.withdrawn(identifier)) }
    }

    /// One line for each product that is changed or left alone.
    package var lines: [String] {
        changes.map { "\(file): \($0.productIdentifier): \($0.description)." }
            + refusals.map { refusal in
                """
                \(file): \(refusal.change.productIdentifier): left alone, because \(refusal.edit.editor) edited it \
                (edit \(refusal.edit.number)); with --overwrite-edits it is \(refusal.change.description).
                """
            }
    }
}

extension CatalogueChange: CustomStringConvertible {
    /// The change, to follow the product.
    package var description: String {
        switch self {
        case .added(let product): "added (\(product.kind.rawValue), \(product.milliunits.decimal))"
        case .changed(_, let differences): "changed: \(differences.joined(separator: ", "))"
        case .withdrawn: "taken off sale, because the file doesn't contain it any more"
        }
    }
}

extension ProductEdit {
    fileprivate var editor: String {
        switch source {
        case .operator: "the store's operator"
        case .seller: "its seller"
        default: "\"\(source.rawValue)\""
        }
    }
}

extension Product {
    /// The values that another version of the product changes, in words.
    ///
    /// The storefronts in which the product isn't sold aren't compared,
    /// because a configuration file contains none.
    fileprivate func differences(to other: Product) -> [String] {
        var differences: [String] = []
        if kind != other.kind { differences.append("type from \(kind.rawValue) to \(other.kind.rawValue)") }
        if isForSale != other.isForSale { differences.append(other.isForSale ? "sold again" : "taken off sale") }
        if milliunits != other.milliunits {
            differences.append("price from \(milliunits.decimal) to \(other.milliunits.decimal)")
        }
        for country in Set(prices.keys).union(other.prices.keys).sorted() where prices[country] != other.prices[country]
        {
            let (old, new) = (prices[country]?.decimal, other.prices[country]?.decimal)
            differences.append("price in \(country) from \(old ?? "the base price") to \(new ?? "the base price")")
        }
        if isFamilyShareable != other.isFamilyShareable {
            differences.append("family sharing \(other.isFamilyShareable ? "on" : "off")")
        }
        if referenceName != other.referenceName { differences.append("reference name") }
        return differences + textDifferences(to: other)
    }

    private func textDifferences(to other: Product) -> [String] {
        let old = Dictionary(localizations.map { ($0.locale, $0) }) { first, _ in first }
        let new = Dictionary(other.localizations.map { ($0.locale, $0) }) { first, _ in first }
        return Set(old.keys).union(new.keys).sorted().flatMap { locale -> [String] in
            guard let before = old[locale] else { return ["texts added (\(locale))"] }
            guard let after = new[locale] else { return ["texts removed (\(locale))"] }
            let title = before.title == after.title ? [] : ["title (\(locale))"]
            return title + (before.description == after.description ? [] : ["description (\(locale))"])
        }
    }
}

extension Int64 {
    /// Milliunits as a decimal.
    fileprivate var decimal: String { Money(milliunits: self, currency: "").decimal }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A configuration file of the products that an app sells.
///
/// It is the file that was imported last, with the values that were edited
/// since. Every key of the file stays, also one that the store doesn't read,
/// and so does the order of keys and lists. A file without edits is the same
/// byte for byte.
struct CatalogueExport {
    /// The products that are sold.
    private let sold: [ProductIdentifier: Product]
    private let catalogue: AppCatalogue
    /// The products as they are in the file.
    private let filed: [ProductIdentifier: Product]
    private let file: StoreKitConfigurationFile
    /// Products that aren't in the place of the file that they had, with
    /// their new one.
    private var moved: [MovedProduct] = []

    private struct MovedProduct {
        var home: Home
        var element: JSONText
    }

    /// The list of a file that contains a product.
    private enum Home: Hashable {
        case list(String)
        case group(SubscriptionGroupIdentifier)

        init(_ product: Product) {
            if let plan = product.plan {
                self = .group(plan.group)
            } else {
                self = .list(product.kind == .nonRenewing ? ConfigurationKeys.nonRenewing : ConfigurationKeys.products)
            }
        }
    }

    /// - Throws: ``DomainError`` `configuration` for a file that this version
    ///   can't read, because an earlier one has skipped a part of it.
    init(of catalogue: AppCatalogue, bundleIdentifier: BundleIdentifier, from source: CatalogueSource?) throws {
        self.catalogue = catalogue
        file = try StoreKitConfigurationFile(
            source?.contents ?? JSONText.emptyConfiguration(of: bundleIdentifier).data,
            file: source?.name ?? "the file",
            bundleIdentifier: bundleIdentifier)
        let forSale = catalogue.products.map(\.product).filter(\.isForSale)
        sold = Dictionary(forSale.map { ($0.productIdentifier, $0) }) { first, _ in first }
        filed = Dictionary(
            file.products.map { [file] product in
                var product = product
                product.exclusions = file.exclusions[product.productIdentifier] ?? []
                return (product.productIdentifier, product)
            }
        ) { first, _ in first }
    }

    /// The bytes of the exported file.
    ///
    /// - Throws: ``DomainError`` `configuration` when the imported file isn't
    ///   in UTF-8 and has to be changed.
    mutating func contents() throws -> Data {
        if isUnedited { return file.contents }
        guard var root = JSONText(file.contents) else {
            throw DomainError(
                .configuration,
                "\(file.name) can't be exported with the edits of the store: it isn't in UTF-8. Save it in UTF-8.")
        }
        for key in [ConfigurationKeys.products, ConfigurationKeys.nonRenewing] {
            if let list = root[key] { root[key] = edited(list) }
        }
        if let groups = root[ConfigurationKeys.groups] {
            root[ConfigurationKeys.groups] = .array(
                groups.elements.map { group in
                    var group = group
                    if let list = group["subscriptions"] { group["subscriptions"] = edited(list) }
                    return group
                })
        }
        let new = sold.values.filter { filed[$0.productIdentifier] == nil }
        for product in new.sorted(by: { $0.productIdentifier < $1.productIdentifier }) {
            moved.append(MovedProduct(home: Home(product), element: .element(of: product)))
        }
        append(moved, to: &root)
        if hasOtherGracePeriod { root.setGracePeriod(catalogue.gracePeriodDays > 0) }
        let end = file.contents.last == UInt8(ascii: "\n") ? "\n" : ""
        return root.data + Data(end.utf8)
    }

    /// A file says of the grace period only whether there is one.
    private var hasOtherGracePeriod: Bool { (file.hasGracePeriod ?? false) != (catalogue.gracePeriodDays > 0) }

    /// Whether the store sells the products of the file. Groups are edited by
    /// imports only.
    private var isUnedited: Bool {
        !hasOtherGracePeriod && sold.count == filed.count
            && sold.allSatisfy { identifier, product in filed[identifier]?.differences(to: product).isEmpty ?? false }
    }

    /// A list of products without those that aren't sold, with the others'
    /// values.
    private mutating func edited(_ list: JSONText) -> JSONText {
        guard case .array(let elements) = list else { return list }
        var kept: [JSONText] = []
        for var element in elements {
            let identifier = element["productID"]?.string.map { ProductIdentifier($0) }
            guard let identifier, let old = filed[identifier], let new = sold[identifier] else { continue }
            element.edit(from: old, to: new)
            if Home(old) == Home(new) {
                kept.append(element)
            } else {
                moved.append(MovedProduct(home: Home(new), element: element))
            }
        }
        return .array(kept)
    }

    /// Adds the products to the ends of their lists, each of which is copied once. A group that the file lacks is added.
    private func append(_ products: [MovedProduct], to root: inout JSONText) {
        let added = Dictionary(grouping: products, by: \.home).mapValues { $0.map(\.element) }
        for key in [ConfigurationKeys.products, ConfigurationKeys.nonRenewing] {
            guard let elements = added[.list(key)] else { continue }
            root[key] = .array((root[key]?.elements ?? []) + elements)
        }
        var groups = root[ConfigurationKeys.groups]?.elements ?? []
        let places = Dictionary(groups.enumerated().map { ($1["id"]?.string, $0) }) { first, _ in first }
        let known = Dictionary(catalogue.groups.map { ($0.identifier, $0) }) { first, _ in first }
        var newPlaces: [SubscriptionGroupIdentifier: Int] = [:]
        for product in products {
            guard case .group(let identifier) = product.home, newPlaces[identifier] == nil else { continue }
            let place = places[identifier.rawValue] ?? groups.endIndex
            if place == groups.endIndex { groups.append(Self.group(identifier, known[identifier])) }
            newPlaces[identifier] = place
            let elements = (groups[place]["subscriptions"]?.elements ?? []) + (added[product.home] ?? [])
            groups[place]["subscriptions"] = .array(elements)
        }
        if !newPlaces.isEmpty { root[ConfigurationKeys.groups] = .array(groups) }
    }

    private static func group(_ identifier: SubscriptionGroupIdentifier, _ group: SubscriptionGroup?) -> JSONText {
        .sorted([
            "id": .string(identifier.rawValue), "name": .string(group?.referenceName ?? identifier.rawValue),
            "localizations": .localizations(group?.localizations ?? []), "subscriptions": .array([]),
        ])
    }
}

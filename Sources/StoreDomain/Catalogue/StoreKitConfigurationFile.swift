// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The products of an Xcode StoreKit configuration file (`.storekit`, JSON).
///
/// Apple publishes no specification of the format; the keys are those that
/// Xcode writes. Auto-renewable subscriptions are skipped, because this store
/// doesn't sell them yet.
package struct StoreKitConfigurationFile: Sendable {
    /// The products in the order of the file, the non-renewing subscriptions
    /// after the others.
    package var products: [Product]
    /// Products that were left out because this store can't sell their type yet.
    package var skipped: [String]

    /// Reads a configuration; `file` is the file's name in error messages.
    ///
    /// - Throws: ``DomainError`` with the code `configuration`, whose message
    ///   names the file, the product and the key.
    package init(_ data: Data, file: String, bundleIdentifier: BundleIdentifier) throws {
        let reader = ConfigurationReader(file: file)
        let root = try reader.root(data)
        products = []
        skipped = []
        var seen: Set<ProductIdentifier> = []
        for key in ["products", "nonRenewingSubscriptions"] {
            for (index, value) in try reader.array(root, key, at: "the top level").enumerated() {
                let place = "\(key)[\(index)]"
                let object = try reader.object(value, place)
                let product = try Self.product(object, place: place, reader: reader, bundleIdentifier: bundleIdentifier)
                guard seen.insert(product.productIdentifier).inserted else {
                    throw reader.error(place, "productID", "\"\(product.productIdentifier)\" is there twice")
                }
                products.append(product)
            }
        }
        for (index, value) in try reader.array(root, "subscriptionGroups", at: "the top level").enumerated() {
            let place = "subscriptionGroups[\(index)]"
            let group = try reader.object(value, place)
            for (index, value) in try reader.array(group, "subscriptions", at: place).enumerated() {
                let place = "\(place).subscriptions[\(index)]"
                skipped.append(try reader.text(try reader.object(value, place), "productID", at: place))
            }
        }
    }

    /// The largest number of bytes of a product identifier, as in messages.
    private static let longestIdentifier = 255

    private static func product(
        _ object: [String: Any], place: String, reader: ConfigurationReader, bundleIdentifier: BundleIdentifier
    ) throws -> Product {
        let identifier = try reader.text(object, "productID", at: place)
        guard !identifier.allSatisfy(\.isWhitespace) else { throw reader.error(place, "productID", "is empty") }
        guard identifier.utf8.count <= longestIdentifier else {
            throw reader.error(place, "productID", "is longer than \(longestIdentifier) bytes")
        }
        let place = "\(place) (\(identifier))"

        let type = try reader.text(object, "type", at: place)
        guard let kind = kinds[type] else {
            throw reader.error(
                place, "type", "\"\(type)\" is no product type; use \(kinds.keys.sorted().joined(separator: ", "))")
        }
        let price = try reader.text(object, "displayPrice", at: place)
        guard let milliunits = Money.milliunits(price) else {
            throw reader.error(place, "displayPrice", "\"\(price)\" is no decimal such as 0.99")
        }
        let localizations = try reader.array(object, "localizations", at: place).enumerated().map { index, value in
            let place = "\(place).localizations[\(index)]"
            let localization = try reader.object(value, place)
            return Product.Localization(
                locale: try reader.text(localization, "locale", at: place),
                title: try reader.text(localization, "displayName", at: place),
                description: try reader.text(localization, "description", at: place))
        }
        if let twice = Dictionary(grouping: localizations, by: \.locale).first(where: { $0.value.count > 1 })?.key {
            throw reader.error(place, "localizations", "\"\(twice)\" is there twice")
        }
        return Product(
            bundleIdentifier: bundleIdentifier, productIdentifier: ProductIdentifier(identifier), kind: kind,
            referenceName: try reader.optionalText(object, "referenceName", at: place) ?? identifier,
            isFamilyShareable: try reader.flag(object, "familyShareable", at: place),
            milliunits: milliunits, localizations: localizations)
    }

    private static let kinds: [String: Product.Kind] = [
        "Consumable": .consumable, "NonConsumable": .nonConsumable, "NonRenewingSubscription": .nonRenewing,
    ]
}

/// Reads JSON, with error messages that name the file, the place and the key.
private struct ConfigurationReader {
    var file: String

    func root(_ data: Data) throws -> [String: Any] {
        let value: Any
        do {
            value = try JSONSerialization.jsonObject(with: data)
        } catch {
            throw DomainError(
                .configuration,
                "\(file) is not JSON: save it from Xcode as a StoreKit configuration file, or mend it by hand.")
        }
        return try object(value, "the top level")
    }

    func error(_ place: String, _ key: String, _ what: String) -> DomainError {
        DomainError(.configuration, "\(file): \(place): \(key): \(what).")
    }

    func object(_ value: Any, _ place: String) throws -> [String: Any] {
        guard let object = value as? [String: Any] else {
            throw DomainError(.configuration, "\(file): \(place) is not an object.")
        }
        return object
    }

    /// The list under a key; empty when it is absent or null.
    func array(_ object: [String: Any], _ key: String, at place: String) throws -> [Any] {
        guard let value = object[key], !(value is NSNull) else { return [] }
        guard let array = value as? [Any] else { throw error(place, key, "is not a list") }
        return array
    }

    func text(_ object: [String: Any], _ key: String, at place: String) throws -> String {
        guard let value = object[key] else { throw error(place, key, "is missing") }
        guard let text = value as? String else { throw error(place, key, "is not a string") }
        return text
    }

    func optionalText(_ object: [String: Any], _ key: String, at place: String) throws -> String? {
        guard let value = object[key], !(value is NSNull) else { return nil }
        guard let text = value as? String else { throw error(place, key, "is not a string") }
        return text
    }

    func flag(_ object: [String: Any], _ key: String, at place: String) throws -> Bool {
        guard let value = object[key], !(value is NSNull) else { return false }
        guard let flag = value as? Bool else { throw error(place, key, "is neither true nor false") }
        return flag
    }
}

// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The products of an Xcode StoreKit configuration file (`.storekit`, JSON).
///
/// Apple publishes no specification of the format; the keys are those that
/// Xcode writes. ``omissions`` lists the parts of the file that this store
/// doesn't use yet, such as auto-renewable subscriptions.
package struct StoreKitConfigurationFile: Sendable {
    /// The file's name, for messages.
    package let name: String
    /// The bytes of the file, with all keys.
    package let contents: Data
    /// SHA-256 of the contents, in lower-case hexadecimal.
    package let checksum: String
    /// The products in the order of the file, the non-renewing subscriptions
    /// after the others.
    package var products: [Product]
    /// The parts of the file that have no effect in a store yet.
    package let omissions: [ConfigurationOmission]

    /// The most bytes of a file, because the database keeps it as one value.
    package static let largest = 64 << 20

    /// Reads a configuration; `file` is the file's name in error messages.
    ///
    /// - Throws: ``DomainError`` with the code `configuration`, whose message
    ///   names the file, the product and the key.
    package init(_ data: Data, file: String, bundleIdentifier: BundleIdentifier) throws {
        guard data.count <= Self.largest else {
            throw DomainError(
                .configuration, "\(file) has \(data.count) bytes: a configuration file has at most \(Self.largest).")
        }
        let reader = ConfigurationReader(file: file)
        let root = try reader.root(data)
        name = file
        contents = data
        checksum = data.fingerprint
        products = []
        var seen: Set<ProductIdentifier> = []
        var omissions: [ConfigurationOmission] = []
        for key in ["products", "nonRenewingSubscriptions"] {
            for (index, value) in try reader.array(root, key, at: "the top level").enumerated() {
                let place = "\(key)[\(index)]"
                let object = try reader.object(value, place)
                let product = try Self.product(object, place: place, reader: reader, bundleIdentifier: bundleIdentifier)
                guard seen.insert(product.productIdentifier).inserted else {
                    throw reader.error(place, "productID", "\"\(product.productIdentifier)\" is there twice")
                }
                products.append(product)
                omissions += ConfigurationOmission.inProduct(object, at: "\(place) (\(product.productIdentifier))")
            }
        }
        for (index, value) in try reader.array(root, "subscriptionGroups", at: "the top level").enumerated() {
            let place = "subscriptionGroups[\(index)]"
            let group = try reader.object(value, place)
            for (index, value) in try reader.array(group, "subscriptions", at: place).enumerated() {
                let place = "\(place).subscriptions[\(index)]"
                let object = try reader.object(value, place)
                let identifier = ProductIdentifier(try reader.text(object, "productID", at: place))
                omissions += ConfigurationOmission.inSubscription(object, identifier, at: "\(place) (\(identifier))")
            }
        }
        self.omissions = omissions + ConfigurationOmission.atTheTop(root)
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
        let milliunits: Int64
        do {
            milliunits = try Money.milliunits(of: price)
        } catch {
            throw reader.error(place, "displayPrice", "\"\(price)\" \(error)")
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

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The products of a configuration file, while they are read.
struct ConfigurationCatalogue {
    var bundleIdentifier: BundleIdentifier
    var reader: ConfigurationReader
    var products: [Product] = []
    var groups: [SubscriptionGroup] = []
    var exclusions: [ProductIdentifier: Set<String>] = [:]
    var omissions: [ConfigurationOmission] = []
    private var seen: Set<ProductIdentifier> = []

    init(bundleIdentifier: BundleIdentifier, reader: ConfigurationReader) {
        self.bundleIdentifier = bundleIdentifier
        self.reader = reader
    }

    /// Reads the products that aren't auto-renewable subscriptions.
    mutating func readProducts(_ root: [String: Any]) throws {
        for key in [ConfigurationKeys.products, ConfigurationKeys.nonRenewing] {
            for (index, value) in try reader.array(root, key, most: ProductRegistration.limit, at: "the top level")
                .enumerated()
            {
                let place = "\(key)[\(index)]"
                let object = try reader.object(value, place)
                var product = try product(object, of: Product.Kind.inLists, at: place)
                let named = "\(place) (\(product.productIdentifier))"
                try reader.refuseContactBonus(object, at: named)
                let (offers, omitted) = try reader.oneTimeOffers(object, at: named)
                product.offers = offers
                omissions += omitted
                let known = ConfigurationKeys.ofProducts.union([ConfigurationKeys.codeOffers])
                try append(product, object, at: place, known: known)
            }
        }
    }

    /// Adds a product, the storefronts in which it isn't sold, and the parts
    /// of it that have no effect.
    ///
    /// - Throws: ``DomainError`` when the file has its identifier twice.
    mutating func append(
        _ product: Product, _ object: [String: Any], at place: String, known: Set<String>
    ) throws {
        let identifier = product.productIdentifier
        guard seen.insert(identifier).inserted else {
            throw reader.error(place, "productID", "\"\(identifier)\" is there twice")
        }
        products.append(product)
        exclusions[identifier] = try reader.exclusions(object, at: "\(place) (\(identifier))")
        omissions += ConfigurationOmission.inObject(object, at: "\(place) (\(identifier))", except: known)
    }

    /// Reads a product of one of several types, without its plan.
    func product(_ object: [String: Any], of kinds: [String: Product.Kind], at place: String) throws -> Product {
        let identifier = try reader.identifier(object, "productID", at: place)
        let place = "\(place) (\(identifier))"

        let type = try reader.text(object, "type", at: place)
        guard let kind = kinds[type] else {
            throw reader.error(
                place, "type", "\"\(type)\" is no product type; use \(kinds.keys.sorted().joined(separator: ", "))")
        }
        let price = try reader.text(object, "displayPrice", at: place)
        var product = Product(
            bundleIdentifier: bundleIdentifier, productIdentifier: ProductIdentifier(identifier), kind: kind,
            referenceName: try reader.optionalText(object, "referenceName", at: place) ?? identifier,
            isFamilyShareable: try reader.flag(object, "familyShareable", at: place),
            milliunits: try reader.milliunits(price, "displayPrice", at: place),
            prices: try reader.prices(object, at: place),
            localizations: try localizations(of: object, at: place))
        product.pricing = try reader.pricing(object, at: place)
        return product
    }

    /// Reads the texts of a product or a group.
    func localizations(of object: [String: Any], at place: String) throws -> [Product.Localization] {
        let list = try reader.array(object, "localizations", most: Product.Localization.limit, at: place)
        let localizations = try list.enumerated().map { index, value in
            let place = "\(place).localizations[\(index)]"
            let localization = try reader.object(value, place)
            return Product.Localization(
                locale: try reader.locale(localization, at: place),
                title: try reader.text(localization, "displayName", at: place),
                description: try reader.text(localization, "description", at: place))
        }
        if let twice = Dictionary(grouping: localizations, by: \.locale).first(where: { $0.value.count > 1 })?.key {
            throw reader.error(place, "localizations", "\"\(twice)\" is there twice")
        }
        return localizations
    }
}

extension Product.Kind {
    /// The types of `products` and `nonRenewingSubscriptions`.
    static let inLists: [String: Product.Kind] = [
        "Consumable": .consumable, "NonConsumable": .nonConsumable, "NonRenewingSubscription": .nonRenewing,
    ]
    /// The type of a group's `subscriptions`.
    static let inGroups: [String: Product.Kind] = ["RecurringSubscription": .autoRenewable]
}

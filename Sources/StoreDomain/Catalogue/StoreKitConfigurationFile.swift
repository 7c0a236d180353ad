// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The products of an Xcode StoreKit configuration file (`.storekit`, JSON).
///
/// Apple publishes no specification of the format; the keys are those that
/// Xcode writes. ``omissions`` lists the parts of the file that this store
/// doesn't use yet, such as the offers of a subscription.
package struct StoreKitConfigurationFile: Sendable {
    /// The file's name, for messages.
    package let name: String
    /// The bytes of the file, with all keys.
    package let contents: Data
    /// SHA-256 of the contents, in lower-case hexadecimal.
    package let checksum: String
    /// The products in the order of the file: the non-renewing subscriptions
    /// after the others, the auto-renewable ones of each group at the end.
    package var products: [Product]
    /// The groups of auto-renewable subscriptions in the order of the file.
    package let groups: [SubscriptionGroup]
    /// The storefronts in which a product isn't sold. A product is missing
    /// here if the file doesn't say it, which is so in every file of Xcode.
    package let exclusions: [ProductIdentifier: Set<String>]
    /// Whether the app's subscriptions have a grace period; `nil` when the
    /// file doesn't say it.
    package let hasGracePeriod: Bool?
    /// The key with which the app's promotional offers are signed; `nil` when
    /// the file has none.
    package let offerKey: OfferKey?
    /// The parts of the file that have no effect in a store yet.
    package let omissions: [ConfigurationOmission]

    /// The most bytes of a file, because the database keeps it as one value.
    package static let largest = 64 << 20

    /// Reads a configuration; `file` is the file's name in error messages.
    ///
    /// Of the promotional offers of a product that share an identifier, the
    /// first is kept. A test session lists all of them, as Xcode does
    /// (`keepsRepeatedOffers`): a purchase takes the first.
    ///
    /// - Throws: ``DomainError`` with the code `configuration`, whose message
    ///   names the file, the product and the key.
    package init(
        _ data: Data, file: String, bundleIdentifier: BundleIdentifier, keepsRepeatedOffers: Bool = false
    ) throws {
        guard data.count <= Self.largest else {
            throw DomainError(
                .configuration, "\(file) has \(data.count) bytes: a configuration file has at most \(Self.largest).")
        }
        let reader = ConfigurationReader(file: file, keepsRepeatedOffers: keepsRepeatedOffers)
        let root = try reader.root(data)
        var catalogue = ConfigurationCatalogue(bundleIdentifier: bundleIdentifier, reader: reader)
        try catalogue.readProducts(root)
        try catalogue.readGroups(root)
        name = file
        contents = data
        checksum = data.fingerprint
        products = catalogue.products
        groups = catalogue.groups
        exclusions = catalogue.exclusions
        hasGracePeriod = try reader.gracePeriod(root)
        offerKey = try reader.offerKey(root)
        omissions = catalogue.omissions + ConfigurationOmission.atTheTop(root)
    }
}

extension StoreKitConfigurationFile {
    /// The lines for the person who imports the file: its omissions, and that some prices are rounded.
    package var remarks: [String] { omitted + (rounding.map { [$0] } ?? []) }

    /// The lines about the parts of the file that have no effect.
    package var omitted: [String] { omissions.map { $0.line(of: name) } }

    /// A line about the prices that are no amounts of the currencies without decimals, such as 0.99.
    package var rounding: String? {
        let prices = products.filter { $0.pricing == .sameNumber }
            .flatMap { [$0.milliunits] + $0.offers.filter { $0.mode != .free }.map(\.milliunits) }
        let yen = prices.map { Money(milliunits: $0, currency: "JPY") }.filter { !$0.isWhole }
        guard let first = yen.first else { return nil }
        return """
            \(name): prices are the same number in each currency, rounded in those without decimals \
            (\(Money.withoutDecimals.sorted().joined(separator: ", "))): \(first.decimal) is \(first.rounded.decimal) there.
            """
    }
}

extension ConfigurationReader {
    /// Whether the file's settings turn the grace period on; `nil` when they
    /// don't say it.
    fileprivate func gracePeriod(_ root: [String: Any]) throws -> Bool? {
        guard let settings = root["settings"] as? [String: Any], let value = settings[ConfigurationKeys.gracePeriod],
            !(value is NSNull)
        else { return nil }
        return try flag(settings, ConfigurationKeys.gracePeriod, at: "settings")
    }
}

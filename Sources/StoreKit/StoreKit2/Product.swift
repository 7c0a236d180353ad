// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAPI

/// A product that the app sells, in the customer's storefront and language.
///
/// ```swift
/// let products = try await Product.products(for: ["apple", "juice"])
/// label.text = "\\(products[0].displayName): \\(products[0].displayPrice)"
/// ```
///
/// Two products are equal when the store's information about them is.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public struct Product: Identifiable, Sendable {
    /// The type of the identifier.
    public typealias ID = String

    /// The identifier that the seller registered.
    public let id: String
    /// The type of the product.
    public let type: Product.ProductType
    /// The name in the best of the customer's languages.
    public let displayName: String
    /// The description in the language of the name.
    public let description: String
    /// The price, exact, in the storefront's currency.
    public let price: Decimal
    /// The price as the storefront writes it.
    public let displayPrice: String
    /// Whether the purchase can be shared with the customer's family.
    public let isFamilyShareable: Bool
    /// The subscription; `nil` unless it renews automatically.
    public let subscription: Product.SubscriptionInfo?
    /// The store's information as JSON.
    public var jsonRepresentation: Data { Data(json.utf8) }

    /// The locale that formats the price, with the currency.
    let priceLocale: String
    let currency: String
    private let json: String

    init(_ info: ProductInfo, storefront: StorefrontInfo) {
        id = info.productIdentifier
        type = Product.ProductType(rawValue: info.type.rawValue)
        displayName = info.title
        description = info.description
        price = Decimal(milliunits: info.milliunits)
        displayPrice = PriceText(info).text(of: info.milliunits)
        isFamilyShareable = info.isFamilyShareable
        subscription = Product.SubscriptionInfo(info)
        priceLocale = info.priceLocale
        currency = info.currency
        json = ProductJSON(info, storefront: storefront).text
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product: Equatable, Hashable {
    /// Whether the store's information is the same.
    public static func == (lhs: Product, rhs: Product) -> Bool { lhs.json == rhs.json }

    /// Hashes the store's information.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(json)
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product: CustomDebugStringConvertible {
    /// The store's information as JSON.
    public var debugDescription: String { json }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// The type of a product. A type of a newer store has another name.
    public struct ProductType: RawRepresentable, Equatable, Hashable, Sendable {
        /// The name in signed values.
        public let rawValue: String

        /// A type with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Used up, and bought again.
        public static let consumable = Product.ProductType(rawValue: "Consumable")
        /// Owned for good.
        public static let nonConsumable = Product.ProductType(rawValue: "Non-Consumable")
        /// A subscription that the customer buys for each period.
        public static let nonRenewable = Product.ProductType(rawValue: "Non-Renewing Subscription")
        /// A subscription that the store renews.
        public static let autoRenewable = Product.ProductType(rawValue: "Auto-Renewable Subscription")

        /// The name for a customer, in English.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, *)
        public var localizedDescription: String { rawValue }
    }
}

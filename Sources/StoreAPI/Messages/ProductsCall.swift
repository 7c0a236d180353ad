// SPDX-License-Identifier: Apache-2.0

/// Asks for the store's information about products, for `SKProductsRequest`.
package struct ProductsCall: StoreCall, Hashable {
    package static let path = StorePath.products

    @Limited<Identifier> package var bundleIdentifier: String
    /// The identifiers of the products. The answer has each once.
    @Limited<ProductIdentifiers> package var productIdentifiers: [String]
    /// The customer's languages, most preferred first (`de_DE`). Titles are
    /// in the most preferred language that the seller has provided.
    @Limited<Languages> package var languages: [String]

    package init(bundleIdentifier: String, productIdentifiers: [String], languages: [String]) {
        self.bundleIdentifier = bundleIdentifier
        self.productIdentifiers = productIdentifiers
        self.languages = languages
    }

    /// The products of the app, and the identifiers without a product.
    package struct Answer: Codable, Sendable, Hashable {
        /// The products that are sold in `storefront`, in the order of the
        /// call.
        package var products: [ProductInfo]
        /// Identifiers that this app doesn't sell: misspelled, another app's,
        /// or not for sale.
        package var invalidProductIdentifiers: [String]
        /// The storefront of the account that is signed in on the device; the
        /// United States' storefront when no account is.
        package var storefront: StorefrontInfo

        package init(products: [ProductInfo], invalidProductIdentifiers: [String], storefront: StorefrontInfo) {
            self.products = products
            self.invalidProductIdentifiers = invalidProductIdentifiers
            self.storefront = storefront
        }
    }
}

/// One product in one storefront and language.
package struct ProductInfo: Codable, Sendable, Hashable {
    package var productIdentifier: String
    package var type: ProductType
    /// The name in the most preferred language that the seller has provided.
    package var title: String
    /// The description in the language of `title`; empty when the seller has
    /// provided no texts.
    package var description: String
    /// The price in thousandths of the currency's unit.
    @Limited<Milliunits> package var milliunits: Int64
    /// ISO 4217.
    package var currency: String
    /// The locale that formats the price, including the currency
    /// (`de_DE@currency=EUR`).
    package var priceLocale: String
    /// Whether the seller shares the product with the customer's family.
    package var isFamilyShareable: Bool
    /// The length of an auto-renewable subscription's period in the form of
    /// ISO 8601, such as `P3M`; `nil` for every other product, and from an
    /// older store. A text in another form is kept.
    @Limited<Optionally<PeriodText>> package var subscriptionPeriod: String?
    /// The group of an auto-renewable subscription; `nil` for every other
    /// product, and from an older store.
    @Limited<Optionally<Identifier>> package var subscriptionGroupIdentifier: String?
    /// The service level in the group, 1 for the highest; `nil` for every
    /// other product, and from an older store.
    @Limited<GroupLevel> package var subscriptionGroupLevel: Int?
    /// The title of the group in the language of `title`; `nil` for every other
    /// product, and from an older store.
    package var subscriptionGroupName: String?
    /// The newest hosted content of the product; `nil` when it has none, and
    /// from an older store.
    package var content: ContentOffer?
    /// The offers of an auto-renewable subscription that apps see, in the
    /// seller's order; `nil` when it has none, and from an older store.
    package var offers: [OfferInfo]?

    package init(
        productIdentifier: String, type: ProductType, title: String, description: String, milliunits: Int64,
        currency: String, priceLocale: String, isFamilyShareable: Bool, subscriptionPeriod: String? = nil,
        subscriptionGroupIdentifier: String? = nil, subscriptionGroupLevel: Int? = nil,
        subscriptionGroupName: String? = nil, content: ContentOffer? = nil, offers: [OfferInfo]? = nil
    ) {
        self.productIdentifier = productIdentifier
        self.type = type
        self.title = title
        self.description = description
        self.milliunits = milliunits
        self.currency = currency
        self.priceLocale = priceLocale
        self.isFamilyShareable = isFamilyShareable
        self.subscriptionPeriod = subscriptionPeriod
        self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
        self.subscriptionGroupLevel = subscriptionGroupLevel
        self.subscriptionGroupName = subscriptionGroupName
        self.content = content
        self.offers = offers
    }
}

/// The type of a product, with Apple's names. A type without a constant here
/// is kept as it is.
package struct ProductType: RawRepresentable, Codable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let consumable = ProductType(rawValue: "Consumable")
    package static let nonConsumable = ProductType(rawValue: "Non-Consumable")
    package static let nonRenewing = ProductType(rawValue: "Non-Renewing Subscription")
    package static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")
}

/// The store of a country.
package struct StorefrontInfo: Codable, Sendable, Hashable {
    /// ISO 3166-1 alpha-3.
    package var countryCode: String
    /// Apple's number for the storefront, as text.
    package var identifier: String
    /// The currency of its prices, ISO 4217; `nil` from an older store.
    package var currency: String?

    package init(countryCode: String, identifier: String, currency: String? = nil) {
        self.countryCode = countryCode
        self.identifier = identifier
        self.currency = currency
    }

    /// Whether both are the same country's. An older store sends no currency,
    /// so that it isn't compared.
    package func isSame(as other: StorefrontInfo) -> Bool {
        countryCode == other.countryCode && identifier == other.identifier
    }
}

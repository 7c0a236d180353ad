// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAPI

/// The store's information about a product: title, description, price.
///
/// Show the price as the store sets it, in the product's locale:
///
/// ```swift
/// let formatter = NumberFormatter()
/// formatter.numberStyle = .currency
/// formatter.locale = product.priceLocale
/// label.text = formatter.string(from: product.price)
/// ```
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKProduct: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; its stored values are immutable or
    // locked.
    private let info: ProductInfo?
    private let period: SKProductSubscriptionPeriod?
    private let offers: [SKProductDiscount]
    private let keyed = KeyedValues()

    /// The identifier that the seller registered.
    open var productIdentifier: String { keyed("productIdentifier", info?.productIdentifier ?? "") }
    /// The title in the best of the customer's languages.
    open var localizedTitle: String { keyed("localizedTitle", info?.title ?? "") }
    /// The description in the best of the customer's languages.
    open var localizedDescription: String { keyed("localizedDescription", info?.description ?? "") }
    /// The price, exact, in the currency of ``priceLocale``.
    open var price: NSDecimalNumber { keyed("price", NSDecimalNumber(milliunits: info?.milliunits ?? 0)) }
    /// The locale that formats the price.
    open var priceLocale: Locale {
        keyed("priceLocale", Locale(identifier: info?.priceLocale ?? "en_US@currency=USD"))
    }
    /// Whether the purchase can be shared with the customer's family.
    open var isFamilyShareable: Bool { keyed("isFamilyShareable", info?.isFamilyShareable ?? false) }

    /// The length of one period of an auto-renewable subscription; `nil` for
    /// every other product.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? { keyed("subscriptionPeriod", period) }
    /// The introductory offer of the subscription, also for a customer who
    /// has had one; `nil` when it has none.
    open var introductoryPrice: SKProductDiscount? {
        keyed("introductoryPrice", offers.first { $0.type == .introductory })
    }
    /// The group of an auto-renewable subscription; `nil` for every other
    /// product.
    open var subscriptionGroupIdentifier: String? {
        keyed("subscriptionGroupIdentifier", info?.subscriptionGroupIdentifier)
    }
    /// The promotional offers of the subscription.
    open var discounts: [SKProductDiscount] {
        keyed("discounts", offers.filter { $0.type == .subscription })
    }

    /// Whether the store hosts content for the product, which is downloaded
    /// after the purchase.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    open var isDownloadable: Bool { keyed("isDownloadable", keyed("downloadable", info?.content != nil)) }
    /// The lengths of the hosted content in bytes: one, or none.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    open var downloadContentLengths: [NSNumber] {
        keyed("downloadContentLengths", info?.content.map { [NSNumber(value: $0.length)] } ?? [])
    }
    /// The version of the hosted content; empty when there is none.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    open var downloadContentVersion: String {
        keyed("downloadContentVersion", info?.content?.version ?? "")
    }

    /// The earlier name of ``isDownloadable`` on the Mac.
    @available(macOS, deprecated: 10.15)
    @available(iOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open var downloadable: Bool { isDownloadable }
    /// The earlier name of ``downloadContentLengths`` on the Mac.
    @available(macOS, deprecated: 10.14)
    @available(iOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open var contentLengths: [NSNumber] { downloadContentLengths }
    /// The earlier name of ``downloadContentVersion`` on the Mac.
    @available(macOS, deprecated: 10.14)
    @available(iOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open var contentVersion: String { downloadContentVersion }

    /// An empty product, for test doubles to derive from.
    public override init() {
        info = nil
        period = nil
        offers = []
        super.init()
    }

    init(_ info: ProductInfo) {
        self.info = info
        period = info.subscriptionPeriod.flatMap { SKProductSubscriptionPeriod(iso8601: $0) }
        offers = (info.offers ?? []).compactMap { SKProductDiscount($0, locale: info.priceLocale) }
        super.init()
    }

    /// Sets a property by its name, for tests that make a product without a store.
    ///
    /// An addition to Apple's API, where every Objective-C object has this
    /// method. A wrong name or value ends the process.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, for: key, of: self, keys: Self.keys)
    }

    /// Returns a property by its name; an enumeration as its raw value.
    ///
    /// An addition to Apple's API, where every Objective-C object has this
    /// method. A wrong name ends the process.
    open func value(forKey key: String) -> Any? {
        KeyedValues.value(for: key, of: self, keys: Self.keys)
    }

    private static var keys: [String: KeyedValues.Property<SKProduct>] {
        [
            "productIdentifier": .init(\.productIdentifier), "localizedTitle": .init(\.localizedTitle),
            "localizedDescription": .init(\.localizedDescription), "price": .init(\.price, KeyedValues.decimal),
            "priceLocale": .init(\.priceLocale, KeyedValues.locale),
            "isFamilyShareable": .init(\.isFamilyShareable, KeyedValues.boolean),
            "subscriptionPeriod": .init(\.subscriptionPeriod), "introductoryPrice": .init(\.introductoryPrice),
            "subscriptionGroupIdentifier": .init(\.subscriptionGroupIdentifier), "discounts": .init(\.discounts),
            "isDownloadable": .init(\.isDownloadable, KeyedValues.boolean),
            "downloadable": .init(\.isDownloadable, KeyedValues.boolean),
            "downloadContentLengths": .init(\.downloadContentLengths, KeyedValues.numbers),
            "downloadContentVersion": .init(\.downloadContentVersion),
        ]
    }
}

extension SKProduct {
    /// A unit of time that a subscription's period is counted in: `day`,
    /// `week`, `month` or `year`.
    public typealias PeriodUnit = SKProductPeriodUnit
}

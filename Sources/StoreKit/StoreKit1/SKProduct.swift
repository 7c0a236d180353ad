// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import StoreAPI

/// What the store says about a product: title, description, price.
///
/// Show the price as the store sets it, in the locale that belongs to it:
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
    // @unchecked because the class is open; what it stores is immutable.
    private let info: ProductInfo?

    /// The identifier that the seller registered.
    open var productIdentifier: String { info?.productIdentifier ?? "" }
    /// The title in the best of the customer's languages.
    open var localizedTitle: String { info?.title ?? "" }
    /// The description in the best of the customer's languages.
    open var localizedDescription: String { info?.description ?? "" }
    /// The price, exact, in the currency of ``priceLocale``.
    open var price: NSDecimalNumber { NSDecimalNumber(milliunits: info?.milliunits ?? 0) }
    /// The locale that formats the price.
    open var priceLocale: Locale { Locale(identifier: info?.priceLocale ?? "en_US@currency=USD") }
    /// Whether the purchase is shared with the customer's family.
    open var isFamilyShareable: Bool { info?.isFamilyShareable ?? false }

    /// How long one period of the subscription is; `nil` for everything that
    /// this store sells so far.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? { nil }
    /// The introductory offer of the subscription; `nil` for everything that
    /// this store sells so far.
    open var introductoryPrice: SKProductDiscount? { nil }
    /// The group that the subscription belongs to; `nil` for everything that
    /// this store sells so far.
    open var subscriptionGroupIdentifier: String? { nil }
    /// The promotional offers of the subscription.
    open var discounts: [SKProductDiscount] { [] }

    /// Whether the store hosts content for the product; it hosts none so far.
    open var isDownloadable: Bool { false }
    /// The lengths of the hosted content in bytes.
    open var downloadContentLengths: [NSNumber] { [] }
    /// The version of the hosted content.
    open var downloadContentVersion: String { "" }

    /// A product of no identifier and no price, for test doubles to derive
    /// from.
    public override init() {
        info = nil
        super.init()
    }

    init(_ info: ProductInfo) {
        self.info = info
        super.init()
    }
}

extension SKProduct {
    /// A unit of time that a subscription's period is counted in.
    public enum PeriodUnit: UInt, Sendable {
        /// A day.
        case day = 0
        /// Seven days.
        case week = 1
        /// A month of the calendar.
        case month = 2
        /// A year of the calendar.
        case year = 3
    }
}

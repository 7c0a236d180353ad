// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An introductory or promotional offer of a subscription.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKProductDiscount: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; it stores nothing.

    /// How the customer pays.
    public enum PaymentMode: UInt, Sendable {
        /// A reduced price for each period.
        case payAsYouGo = 0
        /// One payment for all periods.
        case payUpFront = 1
        /// Nothing.
        case freeTrial = 2
    }

    /// Whom the offer is for.
    public enum `Type`: UInt, Sendable {
        /// New subscribers.
        case introductory = 0
        /// Present and former subscribers.
        case subscription = 1
    }

    /// The price of a period, or of all periods when paid up front.
    open var price: NSDecimalNumber { .zero }
    /// The locale that formats the price.
    open var priceLocale: Locale { Locale(identifier: "en_US@currency=USD") }
    /// The offer's identifier; `nil` for an introductory offer.
    open var identifier: String? { nil }
    /// How long one period of the offer is.
    open var subscriptionPeriod: SKProductSubscriptionPeriod { SKProductSubscriptionPeriod() }
    /// For how many periods the offer holds.
    open var numberOfPeriods: Int { 0 }
    /// How the customer pays.
    open var paymentMode: PaymentMode { .payAsYouGo }
    /// Whom the offer is for.
    open var type: `Type` { .introductory }

    /// An empty offer, for test doubles to derive from.
    public override init() {
        super.init()
    }
}

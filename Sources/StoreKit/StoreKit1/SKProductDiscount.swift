// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An introductory or promotional offer of a subscription.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKProductDiscount: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; what it stores is locked.
    private let keyed = KeyedValues()

    /// How the customer pays: `payAsYouGo`, `payUpFront` or `freeTrial`.
    public typealias PaymentMode = SKProductDiscountPaymentMode

    /// Whom the offer is for: `introductory` or `subscription`.
    public typealias `Type` = SKProductDiscountType

    /// The price of a period, or of all periods when paid up front.
    open var price: NSDecimalNumber { keyed("price", .zero) }
    /// The locale that formats the price.
    open var priceLocale: Locale { keyed("priceLocale", Locale(identifier: "en_US@currency=USD")) }
    /// The offer's identifier; `nil` for an introductory offer.
    open var identifier: String? { keyed("identifier", nil) }
    /// How long one period of the offer is.
    open var subscriptionPeriod: SKProductSubscriptionPeriod {
        keyed("subscriptionPeriod", SKProductSubscriptionPeriod())
    }
    /// For how many periods the offer holds.
    open var numberOfPeriods: Int { keyed("numberOfPeriods", 0) }
    /// How the customer pays.
    open var paymentMode: PaymentMode { keyed("paymentMode", .payAsYouGo) }
    /// Whom the offer is for.
    open var type: `Type` { keyed("type", .introductory) }

    /// An empty offer, for test doubles to derive from.
    public override init() {
        super.init()
    }

    /// Sets a property by its name, for tests that make an offer without a store.
    ///
    /// Not Apple's declaration: there every Objective-C object has it. A name
    /// or a value that doesn't fit ends the process.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, for: key, of: self, keys: Self.keys)
    }

    /// A property by its name; an enumeration as its raw value.
    ///
    /// Not Apple's declaration: there every Objective-C object has it. A name
    /// that isn't a property's ends the process.
    open func value(forKey key: String) -> Any? {
        KeyedValues.value(for: key, of: self, keys: Self.keys)
    }

    private static var keys: [String: KeyedValues.Property<SKProductDiscount>] {
        [
            "price": .init(\.price, KeyedValues.decimal), "priceLocale": .init(\.priceLocale, KeyedValues.locale),
            "identifier": .init(\.identifier), "subscriptionPeriod": .init(\.subscriptionPeriod),
            "numberOfPeriods": .init(\.numberOfPeriods, KeyedValues.integer),
            "paymentMode": .init(enumeration: \.paymentMode), "type": .init(enumeration: \.type),
        ]
    }
}

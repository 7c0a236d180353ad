// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAPI

/// An introductory or promotional offer of a subscription.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKProductDiscount: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; its stored values are locked.
    private let keyed = KeyedValues()
    /// `nil` in an offer that wasn't loaded from a store.
    private let info: (offer: OfferInfo, locale: String)?
    private let period: SKProductSubscriptionPeriod?

    /// How the customer pays: `payAsYouGo`, `payUpFront` or `freeTrial`.
    public typealias PaymentMode = SKProductDiscountPaymentMode

    /// The customers that the offer is for: `introductory` or `subscription`.
    public typealias `Type` = SKProductDiscountType

    /// The price of a period, or of all periods when paid up front.
    open var price: NSDecimalNumber { keyed("price", NSDecimalNumber(milliunits: info?.offer.milliunits ?? 0)) }
    /// The locale that formats the price.
    open var priceLocale: Locale {
        keyed("priceLocale", Locale(identifier: info?.locale ?? "en_US@currency=USD"))
    }
    /// The offer's identifier; `nil` for an introductory offer.
    open var identifier: String? { keyed("identifier", info?.offer.identifier) }
    /// The length of one period of the offer.
    open var subscriptionPeriod: SKProductSubscriptionPeriod {
        keyed("subscriptionPeriod", period ?? SKProductSubscriptionPeriod())
    }
    /// The number of periods that the offer lasts.
    open var numberOfPeriods: Int { keyed("numberOfPeriods", info?.offer.periods ?? 0) }
    /// How the customer pays.
    open var paymentMode: PaymentMode { keyed("paymentMode", PaymentMode(info?.offer.paymentMode) ?? .payAsYouGo) }
    /// The customers that the offer is for.
    open var type: `Type` {
        keyed("type", info?.offer.kind == .promotional ? .subscription : .introductory)
    }

    /// An empty offer, for test doubles to derive from.
    public override init() {
        info = nil
        period = nil
        super.init()
    }

    /// An offer of a store, whose prices the locale formats; `nil` for one of
    /// a kind, a mode or a length that this version doesn't know.
    init?(_ offer: OfferInfo, locale: String) {
        let kinds: [OfferInfo.Kind] = [.introductory, .promotional]
        guard kinds.contains(offer.kind), PaymentMode(offer.paymentMode) != nil,
            let period = SKProductSubscriptionPeriod(iso8601: offer.period)
        else { return nil }
        info = (offer, locale)
        self.period = period
        super.init()
    }

    /// Sets a property by its name, for tests that make an offer without a store.
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

    private static var keys: [String: KeyedValues.Property<SKProductDiscount>] {
        [
            "price": .init(\.price, KeyedValues.decimal), "priceLocale": .init(\.priceLocale, KeyedValues.locale),
            "identifier": .init(\.identifier), "subscriptionPeriod": .init(\.subscriptionPeriod),
            "numberOfPeriods": .init(\.numberOfPeriods, KeyedValues.integer),
            "paymentMode": .init(enumeration: \.paymentMode), "type": .init(enumeration: \.type),
        ]
    }
}

extension SKProductDiscountPaymentMode {
    /// `nil` for a mode that this version doesn't know.
    fileprivate init?(_ mode: OfferInfo.PaymentMode?) {
        switch mode {
        case .free: self = .freeTrial
        case .payAsYouGo: self = .payAsYouGo
        case .payUpFront: self = .payUpFront
        default: return nil
        }
    }
}

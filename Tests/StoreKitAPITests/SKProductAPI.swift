// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkSKProductAPI(_ product: SKProduct) {
    let _: NSObject = product
    let _: any Sendable = product
    let _: SKProduct = SKProduct()
    let _: String = product.productIdentifier
    let _: String = product.localizedTitle
    let _: String = product.localizedDescription
    let _: NSDecimalNumber = product.price
    let _: Locale = product.priceLocale
    let _: Bool = product.isDownloadable
    let _: [NSNumber] = product.downloadContentLengths
    let _: String = product.downloadContentVersion
    let _: Bool = product.downloadable
    let _: [NSNumber] = product.contentLengths
    let _: String = product.contentVersion
    let _: Bool = product.isFamilyShareable
    let _: SKProductSubscriptionPeriod? = product.subscriptionPeriod
    let _: SKProductDiscount? = product.introductoryPrice
    let _: String? = product.subscriptionGroupIdentifier
    let _: [SKProductDiscount] = product.discounts
}

func checkSKProductPeriodUnitAPI(_ unit: SKProduct.PeriodUnit) -> UInt {
    let _: SKProduct.PeriodUnit? = SKProduct.PeriodUnit(rawValue: UInt(0))
    switch unit {
    case .day, .week, .month, .year: return unit.rawValue
    @unknown default: return 0
    }
}

func checkSKProductSubscriptionPeriodAPI(_ period: SKProductSubscriptionPeriod) {
    let _: any Sendable = period
    let _: SKProductSubscriptionPeriod = SKProductSubscriptionPeriod()
    let _: Int = period.numberOfUnits
    let _: SKProduct.PeriodUnit = period.unit
}

class DerivedProduct: SKProduct, @unchecked Sendable {
    override init() { super.init() }
    override var productIdentifier: String { "com.example.apple" }
    override var localizedTitle: String { "Apple" }
    override var localizedDescription: String { "A red one" }
    override var price: NSDecimalNumber { NSDecimalNumber(string: "0.99") }
    override var priceLocale: Locale { Locale(identifier: "en_US") }
    override var isDownloadable: Bool { true }
    override var downloadContentLengths: [NSNumber] { [1] }
    override var downloadContentVersion: String { "1" }
    override var downloadable: Bool { true }
    override var contentLengths: [NSNumber] { [1] }
    override var contentVersion: String { "1" }
    override var isFamilyShareable: Bool { true }
    override var subscriptionPeriod: SKProductSubscriptionPeriod? { DerivedPeriod() }
    override var introductoryPrice: SKProductDiscount? { DerivedDiscount() }
    override var subscriptionGroupIdentifier: String? { "group" }
    override var discounts: [SKProductDiscount] { [] }
}

class DerivedPeriod: SKProductSubscriptionPeriod, @unchecked Sendable {
    override var numberOfUnits: Int { 3 }
    override var unit: SKProduct.PeriodUnit { .month }
}

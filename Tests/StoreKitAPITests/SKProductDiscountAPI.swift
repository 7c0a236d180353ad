// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkSKProductDiscountAPI(_ discount: SKProductDiscount) {
    let _: any Sendable = discount
    let _: SKProductDiscount = SKProductDiscount()
    let _: NSDecimalNumber = discount.price
    let _: Locale = discount.priceLocale
    let _: String? = discount.identifier
    let _: SKProductSubscriptionPeriod = discount.subscriptionPeriod
    let _: Int = discount.numberOfPeriods
    let _: SKProductDiscount.PaymentMode = discount.paymentMode
    let _: SKProductDiscount.`Type` = discount.type
    let _: Bool = discount.type == .introductory || discount.type == .subscription
}

func checkSKProductDiscountPaymentModeAPI(_ mode: SKProductDiscount.PaymentMode) -> UInt {
    let _: SKProductDiscount.PaymentMode? = SKProductDiscount.PaymentMode(rawValue: UInt(0))
    switch mode {
    case .payAsYouGo, .payUpFront, .freeTrial: return mode.rawValue
    @unknown default: return 0
    }
}

func checkSKPaymentDiscountAPI(_ nonce: UUID) {
    let discount: SKPaymentDiscount = SKPaymentDiscount(
        identifier: "offer", keyIdentifier: "key", nonce: nonce, signature: "signature", timestamp: NSNumber(value: 1))
    let _: any Sendable = discount
    let _: String = discount.identifier
    let _: String = discount.keyIdentifier
    let _: UUID = discount.nonce
    let _: String = discount.signature
    let _: NSNumber = discount.timestamp
}

class DerivedDiscount: SKProductDiscount, @unchecked Sendable {
    override var price: NSDecimalNumber { .one }
    override var priceLocale: Locale { Locale(identifier: "de_DE") }
    override var identifier: String? { "offer" }
    override var subscriptionPeriod: SKProductSubscriptionPeriod { DerivedPeriod() }
    override var numberOfPeriods: Int { 2 }
    override var paymentMode: PaymentMode { .freeTrial }
    override var type: `Type` { .subscription }
}

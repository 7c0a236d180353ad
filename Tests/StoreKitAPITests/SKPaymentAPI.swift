// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkSKPaymentAPI(_ product: SKProduct) {
    let payment: SKPayment = SKPayment(product: product)
    let _: SKPayment = SKPayment(productIdentifier: "com.example.apple")
    let _: SKPayment = SKPayment()
    let _: any NSCopying & NSMutableCopying = payment
    let _: String = payment.productIdentifier
    let _: Data? = payment.requestData
    let _: Int = payment.quantity
    let _: String? = payment.applicationUsername
    let _: Bool = payment.simulatesAskToBuyInSandbox
    let _: SKPaymentDiscount? = payment.paymentDiscount
    let _: Any = payment.copy(with: nil)
    let _: Any = payment.mutableCopy(with: nil)
    let _: Any = payment.copy()
    let _: Any = payment.mutableCopy()
}

func checkSKMutablePaymentAPI(_ product: SKProduct, _ discount: SKPaymentDiscount) {
    let payment: SKMutablePayment = SKMutablePayment(product: product)
    let _: SKMutablePayment = SKMutablePayment()
    let _: SKPayment = payment
    payment.productIdentifier = "com.example.pear"
    payment.requestData = Data()
    payment.quantity = 2
    payment.applicationUsername = "somebody"
    payment.simulatesAskToBuyInSandbox = true
    payment.paymentDiscount = discount
}

class DerivedPayment: SKPayment {
    override init() { super.init() }
    override var productIdentifier: String { "com.example.orange" }
    override var requestData: Data? { nil }
    override var quantity: Int { 3 }
    override var applicationUsername: String? { "somebody" }
    override var simulatesAskToBuyInSandbox: Bool { true }
    override var paymentDiscount: SKPaymentDiscount? { nil }
}

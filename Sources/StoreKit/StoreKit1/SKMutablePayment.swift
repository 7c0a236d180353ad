// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A payment that can be changed until it is added to the queue.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKMutablePayment: SKPayment {
    /// The identifier of the product to buy.
    open override var productIdentifier: String {
        get { contents.productIdentifier }
        set { contents.productIdentifier = newValue }
    }

    /// Reserved; a payment that sets it fails.
    open override var requestData: Data? {
        get { contents.requestData }
        set { contents.requestData = newValue }
    }

    /// The quantity to buy, from 1 to 10.
    open override var quantity: Int {
        get { contents.quantity }
        set { contents.quantity = newValue }
    }

    /// An opaque identifier of the customer's account in the app.
    open override var applicationUsername: String? {
        get { contents.applicationUsername }
        set { contents.applicationUsername = newValue }
    }

    /// Whether the sandbox simulates a purchase that needs an approval.
    open override var simulatesAskToBuyInSandbox: Bool {
        get { contents.simulatesAskToBuyInSandbox }
        set { contents.simulatesAskToBuyInSandbox = newValue }
    }

    /// A promotional offer. The store has no offers yet: a payment with one
    /// fails.
    open override var paymentDiscount: SKPaymentDiscount? {
        get { contents.paymentDiscount }
        set { contents.paymentDiscount = newValue }
    }

    /// Makes a payment without a product.
    public override init() {
        super.init()
    }
}

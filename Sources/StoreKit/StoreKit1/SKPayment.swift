// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A request to buy a product: the product, the quantity and the customer's
/// account in the app.
///
/// Two payments are equal when their properties are equal.
// Not Sendable; see SKRequest.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKPayment: NSObject, NSCopying, NSMutableCopying {
    struct Contents: Hashable {
        var productIdentifier = ""
        var requestData: Data?
        var quantity = 1
        var applicationUsername: String?
        var simulatesAskToBuyInSandbox = false
        var paymentDiscount: SKPaymentDiscount?
    }

    /// Only SKMutablePayment changes it after the initializers.
    final var contents = Contents()

    /// The identifier of the product to buy.
    open var productIdentifier: String { contents.productIdentifier }
    /// Reserved; a payment that sets it fails.
    open var requestData: Data? { contents.requestData }
    /// The quantity to buy, from 1 to 10.
    open var quantity: Int { contents.quantity }
    /// An opaque identifier of the customer's account in the app.
    open var applicationUsername: String? { contents.applicationUsername }
    /// Whether the sandbox simulates a purchase that needs an approval.
    open var simulatesAskToBuyInSandbox: Bool { contents.simulatesAskToBuyInSandbox }
    /// A promotional offer. The store has no offers yet: a payment with one
    /// fails.
    open var paymentDiscount: SKPaymentDiscount? { contents.paymentDiscount }

    // The only designated initializer, so that a subclass that overrides it
    // inherits the others.
    /// Makes a payment without a product, for subclasses.
    public override init() {
        super.init()
    }

    /// A payment for one piece of a product.
    public convenience init(product: SKProduct) {
        self.init()
        contents.productIdentifier = product.productIdentifier
    }

    /// A payment for one piece of the product with this identifier.
    public convenience init(productIdentifier: String) {
        self.init()
        contents.productIdentifier = productIdentifier
    }

    /// An immutable copy of the payment.
    open func copy(with zone: NSZone? = nil) -> Any {
        SKPayment(snapshotOf: self)
    }

    /// A copy as an ``SKMutablePayment``.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        SKMutablePayment(snapshotOf: self)
    }

    /// Whether the other object is a payment with equal properties.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? SKPayment).map { said == $0.said } ?? false
    }

    /// Equal for equal payments.
    open override var hash: Int { said.hashValue }
}

extension SKPayment {
    /// The payment's properties, read through the getters, which a subclass
    /// may have overridden.
    final var said: Contents {
        Contents(
            productIdentifier: productIdentifier, requestData: requestData, quantity: quantity,
            applicationUsername: applicationUsername, simulatesAskToBuyInSandbox: simulatesAskToBuyInSandbox,
            paymentDiscount: paymentDiscount)
    }

    convenience init(snapshotOf payment: SKPayment) {
        self.init()
        contents = payment.said
    }
}

// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What an app asks the store to sell: a product, a quantity, and for whom.
///
/// Two payments are equal when all that they say is.
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

    /// Only SKMutablePayment changes it after the initialisers.
    final var contents = Contents()

    /// The product to be bought.
    open var productIdentifier: String { contents.productIdentifier }
    /// Reserved; a payment that sets it fails.
    open var requestData: Data? { contents.requestData }
    /// How many, from 1 to 10.
    open var quantity: Int { contents.quantity }
    /// An opaque name of the customer's account in the app.
    open var applicationUsername: String? { contents.applicationUsername }
    /// Whether the sandbox should act as if somebody else had to approve.
    open var simulatesAskToBuyInSandbox: Bool { contents.simulatesAskToBuyInSandbox }
    /// A promotional offer; the store has none so far, and says so of a
    /// payment that names one.
    open var paymentDiscount: SKPaymentDiscount? { contents.paymentDiscount }

    // The only designated initialiser, so that a subclass that overrides it
    // inherits the others.
    /// A payment for no product, for subclasses.
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

    /// An immutable payment that says the same.
    open func copy(with zone: NSZone? = nil) -> Any {
        SKPayment(snapshotOf: self)
    }

    /// An ``SKMutablePayment`` that says the same.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        SKMutablePayment(snapshotOf: self)
    }

    /// Whether the other is a payment that says the same.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? SKPayment).map { said == $0.said } ?? false
    }

    /// Equal for equal payments.
    open override var hash: Int { said.hashValue }
}

extension SKPayment {
    /// What the payment says, through the getters that a subclass may have
    /// overridden.
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

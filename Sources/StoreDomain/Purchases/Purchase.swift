// SPDX-License-Identifier: Apache-2.0

/// A purchase of an account: one transaction.
package struct Purchase: Hashable, Sendable {
    package var transactionIdentifier: String
    /// The identifier of the first purchase, if the account bought a
    /// non-consumable again; else this purchase's own.
    package var originalTransactionIdentifier: String
    package var account: String
    package var bundleIdentifier: String
    package var productIdentifier: String
    package var kind: Product.Kind
    package var quantity: Int
    package var applicationUsername: String?
    package var date: Instant
    package var originalDate: Instant
    /// The price of the whole quantity: zero if the account owned the product
    /// already.
    package var price: Money
    package var storefront: String
    package var device: DeviceIdentifier?
    package var requestIdentifier: String?
    /// Consumables and non-renewing subscriptions leave the receipt once they
    /// are finished.
    package var isInReceipt: Bool
    package var revoked: Instant?

    /// Makes the purchase of a request that is paid for or costs nothing.
    init(
        of request: DeviceRequest, product: Product, account: String, identifier: String, price: Money,
        storefront: String, owned: Purchase?, now: Instant
    ) {
        transactionIdentifier = identifier
        originalTransactionIdentifier = owned?.originalTransactionIdentifier ?? identifier
        self.account = account
        bundleIdentifier = product.bundleIdentifier
        productIdentifier = product.productIdentifier
        kind = product.kind
        quantity = request.quantity
        applicationUsername = request.applicationUsername
        date = now
        originalDate = owned?.originalDate ?? now
        self.price = price
        self.storefront = storefront
        device = request.device
        requestIdentifier = request.identifier
        isInReceipt = true
    }

    init(
        transactionIdentifier: String, originalTransactionIdentifier: String, account: String,
        bundleIdentifier: String, productIdentifier: String, kind: Product.Kind, quantity: Int,
        applicationUsername: String?, date: Instant, originalDate: Instant, price: Money, storefront: String,
        device: DeviceIdentifier?, requestIdentifier: String?, isInReceipt: Bool, revoked: Instant?
    ) {
        self.transactionIdentifier = transactionIdentifier
        self.originalTransactionIdentifier = originalTransactionIdentifier
        self.account = account
        self.bundleIdentifier = bundleIdentifier
        self.productIdentifier = productIdentifier
        self.kind = kind
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.date = date
        self.originalDate = originalDate
        self.price = price
        self.storefront = storefront
        self.device = device
        self.requestIdentifier = requestIdentifier
        self.isInReceipt = isInReceipt
        self.revoked = revoked
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A purchase of an account: one transaction.
package struct Purchase: Hashable, Sendable {
    /// 16 decimal digits, which begin with 2 in the sandbox and with 4 in
    /// production.
    package var transactionIdentifier: String
    /// The identifier of the first purchase, if the account bought a
    /// non-consumable again; else this purchase's own.
    package var originalTransactionIdentifier: String
    /// The identifier of the account.
    package var account: String
    package var bundleIdentifier: String
    package var productIdentifier: String
    /// The product's kind at the time of the purchase.
    package var kind: Product.Kind
    package var quantity: Int
    /// The user name of the payment; `nil` when the payment had none.
    package var applicationUsername: String?
    /// When the purchase was made.
    package var date: Instant
    /// When the purchase that `originalTransactionIdentifier` names was made.
    package var originalDate: Instant
    /// The price of the whole quantity: zero if the account owned the product
    /// already.
    package var price: Money
    /// The country code of the storefront in which it was bought.
    package var storefront: String
    /// The device that asked for it; `nil` when none is recorded.
    package var device: DeviceIdentifier?
    /// The identifier of the device's request; `nil` when none is recorded.
    package var requestIdentifier: String?
    /// Consumables and non-renewing subscriptions leave the receipt once they
    /// are finished.
    package var isInReceipt: Bool
    /// When it was refunded; `nil` when it wasn't.
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

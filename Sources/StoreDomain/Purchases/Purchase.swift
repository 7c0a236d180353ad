// SPDX-License-Identifier: Apache-2.0

/// A purchase of an account: one transaction.
package struct Purchase: Hashable, Sendable {
    package var transactionIdentifier: TransactionIdentifier
    /// The identifier of the first purchase, if the account bought a
    /// non-consumable again; that of the first period, if this is a
    /// subscription's renewal; else this purchase's own.
    package var originalTransactionIdentifier: OriginalTransactionIdentifier
    /// The identifier of the account.
    package var account: AccountIdentifier
    package var bundleIdentifier: BundleIdentifier
    package var productIdentifier: ProductIdentifier
    /// The product's kind at the time of the purchase.
    package var kind: Product.Kind
    package var quantity: Int
    /// The user name of the payment; `nil` when the payment had none.
    package var applicationUsername: String?
    /// When the purchase was made.
    package var date: StoreTime
    /// When the purchase that `originalTransactionIdentifier` names was made.
    package var originalDate: StoreTime
    /// The price of the whole quantity: zero if the account owned the product
    /// already.
    package var price: Money
    /// The country code of the storefront in which it was bought.
    package var storefront: String
    /// The device that asked for it; `nil` when none is recorded.
    package var device: DeviceIdentifier?
    /// The identifier of the device's request; `nil` when none is recorded.
    package var requestIdentifier: RequestIdentifier?
    /// Consumables and non-renewing subscriptions leave the receipt once they
    /// are finished.
    package var isInReceipt: Bool
    /// When it was refunded; `nil` when it wasn't.
    package var revoked: StoreTime?
    /// The part of the price that is refunded, in thousandths of a percent;
    /// `nil` for the whole price, and for a purchase that isn't revoked.
    package var revokedPart: Int64?
    /// The period of an auto-renewable subscription that it pays; `nil` for
    /// every other product.
    package var term: Term?
    /// The offer of the code with which a product that isn't a subscription was bought; `nil` for the regular price, and for a
    /// promo code.
    package var codeOffer: String?
    /// The purchase of another member of the family from which the account has
    /// it; `nil` for one that it has made itself.
    package var share: Share?

    /// The purchase that a family's member shares.
    package struct Share: Hashable, Sendable {
        package var owner: AccountIdentifier
        package var transaction: TransactionIdentifier
    }

    /// The period that a transaction of an auto-renewable subscription pays.
    package struct Term: Hashable, Sendable {
        /// The group of the subscription, of which an account has one.
        package var group: SubscriptionGroupIdentifier
        /// The end of the period.
        package var expires: StoreTime
        /// The number of the period (`web_order_line_item_id`).
        package var webOrder: WebOrderIdentifier
        /// Whether the customer has changed to a product of a higher level, or
        /// of the same level and duration, before the period's end.
        package var isUpgraded = false
        /// The offer with which the period was bought; `nil` for the regular
        /// price.
        package var offer: AppliedOffer?
    }

    /// A place in the order of an account's purchases, by date and then by
    /// identifier.
    package struct Position: Hashable, Sendable {
        var date: StoreTime
        var transactionIdentifier: TransactionIdentifier
    }

    var position: Position { Position(date: date, transactionIdentifier: transactionIdentifier) }

    /// Whether it is the first purchase of its chain.
    package var isOriginal: Bool { transactionIdentifier == TransactionIdentifier(originalTransactionIdentifier) }

    init(
        transactionIdentifier: TransactionIdentifier, originalTransactionIdentifier: OriginalTransactionIdentifier,
        account: AccountIdentifier,
        bundleIdentifier: BundleIdentifier, productIdentifier: ProductIdentifier, kind: Product.Kind, quantity: Int,
        applicationUsername: String?, date: StoreTime, originalDate: StoreTime, price: Money, storefront: String,
        device: DeviceIdentifier?, requestIdentifier: RequestIdentifier?, isInReceipt: Bool, revoked: StoreTime?
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

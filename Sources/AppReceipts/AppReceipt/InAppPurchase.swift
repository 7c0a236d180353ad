// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// One purchase in an app receipt.
public struct InAppPurchase: Sendable, Hashable {
    /// How many were bought (attribute 1701).
    public var quantity: Int
    /// The product (attribute 1702).
    public var productIdentifier: String
    /// The transaction that delivered the product (attribute 1703).
    public var transactionIdentifier: String
    /// When that transaction was made (attribute 1704).
    public var purchaseDate: Date
    /// The transaction of the product's first purchase (attribute 1705).
    ///
    /// It is the transaction itself if the receipt has no such attribute.
    public var originalTransactionIdentifier: String
    /// When the product was first bought (attribute 1706).
    ///
    /// It is ``purchaseDate`` if the receipt has no such attribute.
    public var originalPurchaseDate: Date
    /// The product's type (attribute 1707).
    public var productType: ProductTypeNumber?
    /// When the paid period of a subscription ends (attribute 1708).
    public var subscriptionExpirationDate: Date?
    /// When the purchase was refunded or revoked (attribute 1712).
    public var cancellationDate: Date?
    /// The store's number for one paid period of a subscription
    /// (attribute 1711).
    public var webOrderLineItemIdentifier: Int64?
    /// Whether the period is a free trial (attribute 1713).
    public var isTrialPeriod: Bool?
    /// Whether the period has an introductory price (attribute 1719).
    public var isInIntroductoryPricePeriod: Bool?
    /// The promotional offer that was used (attribute 1721).
    public var promotionalOfferIdentifier: String?
    /// The attributes without a property here, which are encoded unchanged.
    public var unknownAttributes: [UnknownAttribute]

    /// A purchase with these contents.
    ///
    /// The original identifier and date default to those of the purchase
    /// itself.
    public init(
        quantity: Int = 1,
        productIdentifier: String,
        transactionIdentifier: String,
        purchaseDate: Date,
        originalTransactionIdentifier: String? = nil,
        originalPurchaseDate: Date? = nil,
        productType: ProductTypeNumber? = nil,
        subscriptionExpirationDate: Date? = nil,
        cancellationDate: Date? = nil,
        webOrderLineItemIdentifier: Int64? = nil,
        isInIntroductoryPricePeriod: Bool? = nil,
        isTrialPeriod: Bool? = nil,
        promotionalOfferIdentifier: String? = nil,
        unknownAttributes: [UnknownAttribute] = []
    ) {
        self.quantity = quantity
        self.productIdentifier = productIdentifier
        self.transactionIdentifier = transactionIdentifier
        self.purchaseDate = purchaseDate
        self.originalTransactionIdentifier = originalTransactionIdentifier ?? transactionIdentifier
        self.originalPurchaseDate = originalPurchaseDate ?? purchaseDate
        self.productType = productType
        self.subscriptionExpirationDate = subscriptionExpirationDate
        self.cancellationDate = cancellationDate
        self.webOrderLineItemIdentifier = webOrderLineItemIdentifier
        self.isTrialPeriod = isTrialPeriod
        self.isInIntroductoryPricePeriod = isInIntroductoryPricePeriod
        self.promotionalOfferIdentifier = promotionalOfferIdentifier
        self.unknownAttributes = unknownAttributes.sorted()
    }

    /// Whether a purchase is before another one in a parsed receipt.
    ///
    /// Dates are compared by the second, because a receipt stores no
    /// fraction. Identifiers are decimal numbers, so the shorter one is the
    /// smaller one.
    static func comesBefore(_ left: InAppPurchase, _ right: InAppPurchase) -> Bool {
        let leftSecond = left.purchaseDate.timeIntervalSince1970.rounded(.down)
        let rightSecond = right.purchaseDate.timeIntervalSince1970.rounded(.down)
        if leftSecond != rightSecond { return leftSecond < rightSecond }
        let leftIdentifier = left.transactionIdentifier.utf8
        let rightIdentifier = right.transactionIdentifier.utf8
        if leftIdentifier.count != rightIdentifier.count { return leftIdentifier.count < rightIdentifier.count }
        return leftIdentifier.lexicographicallyPrecedes(rightIdentifier)
    }
}

// SPDX-License-Identifier: Apache-2.0

extension InAppPurchase {
    /// The attribute types of a purchase that this version reads and writes.
    /// The others are kept as ``UnknownAttribute``.
    enum Field: Int {
        case quantity = 1701
        case productIdentifier = 1702
        case transactionIdentifier = 1703
        case purchaseDate = 1704
        case originalTransactionIdentifier = 1705
        case originalPurchaseDate = 1706
        case productType = 1707
        case subscriptionExpirationDate = 1708
        case webOrderLineItemIdentifier = 1711
        case cancellationDate = 1712
        case isTrialPeriod = 1713
        case isInIntroductoryPricePeriod = 1719
        case promotionalOfferIdentifier = 1721
    }
}

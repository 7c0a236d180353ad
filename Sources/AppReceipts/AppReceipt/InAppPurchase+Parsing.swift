// SPDX-License-Identifier: Apache-2.0

extension InAppPurchase {
    private static let mostAttributes = 250

    /// Reads the value of an attribute 17, BER or DER.
    init(reading reader: inout DERReader) throws(AppReceiptError) {
        var attributes = try ReceiptAttributeSet<Field>(reading: &reader, atMost: Self.mostAttributes)
        let originalTransactionIdentifier = try attributes.take(.originalTransactionIdentifier, as: .string)
        let originalPurchaseDate = try attributes.take(.originalPurchaseDate, as: .date)
        self.init(
            quantity: Int(try attributes.required(.quantity, as: .integer)),
            productIdentifier: try attributes.required(.productIdentifier, as: .string),
            transactionIdentifier: try attributes.required(.transactionIdentifier, as: .string),
            purchaseDate: try attributes.required(.purchaseDate, as: .date),
            originalTransactionIdentifier: originalTransactionIdentifier,
            originalPurchaseDate: originalPurchaseDate,
            productType: try attributes.take(.productType, as: .integer).map { .init(rawValue: Int($0)) },
            subscriptionExpirationDate: try attributes.take(.subscriptionExpirationDate, as: .date),
            cancellationDate: try attributes.take(.cancellationDate, as: .date),
            webOrderLineItemIdentifier: try attributes.take(.webOrderLineItemIdentifier, as: .integer),
            isInIntroductoryPricePeriod: try attributes.take(.isInIntroductoryPricePeriod, as: .flag),
            isTrialPeriod: try attributes.take(.isTrialPeriod, as: .flag),
            promotionalOfferIdentifier: try attributes.take(.promotionalOfferIdentifier, as: .string),
            unknownAttributes: attributes.unknown)
        // The encoder always writes both originals, also for a first
        // purchase.
        if !attributes.isCanonical || originalTransactionIdentifier == nil || originalPurchaseDate == nil {
            reader.isCanonical = false
        }
    }
}

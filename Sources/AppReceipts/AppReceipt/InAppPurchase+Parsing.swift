// SPDX-License-Identifier: Apache-2.0

extension InAppPurchase {
    /// Reads the value of an attribute 17, BER or DER.
    ///
    /// - Throws: ``AppReceiptError``, or an ASN.1 error.
    init(parsing value: ArraySlice<UInt8>) throws {
        var attributes = try ReceiptAttributeSet(parsing: value, within: .purchase)
        self.init(
            quantity: try attributes.required(Field.quantity).smallInteger(),
            productIdentifier: try attributes.required(Field.productIdentifier).string(),
            transactionIdentifier: try attributes.required(Field.transactionIdentifier).string(),
            purchaseDate: try attributes.required(Field.purchaseDate).requiredDate(),
            originalTransactionIdentifier: try attributes.take(Field.originalTransactionIdentifier)?.string(),
            originalPurchaseDate: try attributes.take(Field.originalPurchaseDate)?.date(),
            productType: try attributes.take(Field.productType).map { .init(rawValue: try $0.smallInteger()) },
            subscriptionExpirationDate: try attributes.take(Field.subscriptionExpirationDate)?.date(),
            cancellationDate: try attributes.take(Field.cancellationDate)?.date(),
            webOrderLineItemIdentifier: try attributes.take(Field.webOrderLineItemIdentifier)?.integer(),
            isInIntroductoryPricePeriod: try attributes.take(Field.isInIntroductoryPricePeriod)?.flag(),
            isTrialPeriod: try attributes.take(Field.isTrialPeriod)?.flag(),
            promotionalOfferIdentifier: try attributes.take(Field.promotionalOfferIdentifier)?.string(),
            unknownAttributes: attributes.takeRest())
    }
}

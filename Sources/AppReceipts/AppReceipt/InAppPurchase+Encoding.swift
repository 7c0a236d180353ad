// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension InAppPurchase {
    /// The purchase as it is encoded in a receipt, so that a store can keep it
    /// and need not encode it again for each receipt.
    ///
    /// - Throws: ``AppReceiptError`` if a date is outside of the years 0 to
    ///   9999.
    package var encodedForReceipt: Data {
        get throws(AppReceiptError) { Data(try encoded()) }
    }

    /// Reads a purchase that ``encodedForReceipt`` has encoded.
    ///
    /// - Throws: ``AppReceiptError`` for anything else.
    package init(encodedForReceipt data: Data) throws(AppReceiptError) {
        var reader = DERReader([UInt8](data)[...])
        try self.init(reading: &reader)
        try reader.finish()
    }

    /// The purchase as the value of an attribute 17.
    ///
    /// - Throws: ``AppReceiptError`` if a date is outside of the years 0 to
    ///   9999, or an unknown attribute has the type of a known one.
    func encoded() throws(AppReceiptError) -> [UInt8] {
        var attributes: [ReceiptAttribute] = []
        attributes.reserveCapacity(13 + unknownAttributes.count)

        attributes.append(.init(Field.quantity, integer: Int64(quantity)))
        attributes.append(.init(Field.productIdentifier, utf8: productIdentifier))
        attributes.append(.init(Field.transactionIdentifier, utf8: transactionIdentifier))
        attributes.append(try .init(Field.purchaseDate, date: purchaseDate))
        attributes.append(.init(Field.originalTransactionIdentifier, utf8: originalTransactionIdentifier))
        attributes.append(try .init(Field.originalPurchaseDate, date: originalPurchaseDate))
        if let productType { attributes.append(.init(Field.productType, integer: Int64(productType.rawValue))) }
        if let subscriptionExpirationDate {
            attributes.append(try .init(Field.subscriptionExpirationDate, date: subscriptionExpirationDate))
        }
        if let webOrderLineItemIdentifier {
            attributes.append(.init(Field.webOrderLineItemIdentifier, integer: webOrderLineItemIdentifier))
        }
        if let cancellationDate { attributes.append(try .init(Field.cancellationDate, date: cancellationDate)) }
        if let isTrialPeriod { attributes.append(.init(Field.isTrialPeriod, integer: isTrialPeriod ? 1 : 0)) }
        if let isInIntroductoryPricePeriod {
            attributes.append(
                .init(Field.isInIntroductoryPricePeriod, integer: isInIntroductoryPricePeriod ? 1 : 0))
        }
        if let promotionalOfferIdentifier {
            attributes.append(.init(Field.promotionalOfferIdentifier, utf8: promotionalOfferIdentifier))
        }
        for attribute in unknownAttributes {
            attributes.append(try .init(attribute, unknownTo: Field.self))
        }
        return ReceiptAttribute.encode(attributes)
    }
}

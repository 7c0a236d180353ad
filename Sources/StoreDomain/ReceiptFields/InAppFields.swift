// SPDX-License-Identifier: Apache-2.0

package import AppReceipts

/// One purchase of a receipt. Its numbers are strings, as in Apple's answers.
package struct InAppFields: Encodable {
    private let purchase: InAppPurchase
    private let isShared: Bool
    private let cancellationReason: Int64

    /// `isShared` is whether the account has it from another member of its family. `cancellationReason` is 1 for a problem of the
    /// app, which a receipt doesn't contain.
    package init(_ purchase: InAppPurchase, isShared: Bool = false, cancellationReason: Int64 = 0) {
        self.purchase = purchase
        self.isShared = isShared
        self.cancellationReason = cancellationReason
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ReceiptKey.self)
        try container.encode(String(purchase.quantity), forKey: "quantity")
        try container.encode(purchase.productIdentifier, forKey: "product_id")
        try container.encode(purchase.transactionIdentifier, forKey: "transaction_id")
        try container.encode(purchase.originalTransactionIdentifier, forKey: "original_transaction_id")
        try container.encode(purchase.purchaseDate, spellings: "purchase_date")
        try container.encode(purchase.originalPurchaseDate, spellings: "original_purchase_date")
        try container.encode(String(purchase.isTrialPeriod ?? false), forKey: "is_trial_period")
        try container.encode(isShared ? "FAMILY_SHARED" : "PURCHASED", forKey: "in_app_ownership_type")
        if let date = purchase.subscriptionExpirationDate {
            try container.encode(date, spellings: "expires_date")
            try container.encode(
                String(purchase.isInIntroductoryPricePeriod ?? false), forKey: "is_in_intro_offer_period")
        }
        // Receipts of the sandbox write 0 for "none", and Apple's answers leave it out.
        if let number = purchase.webOrderLineItemIdentifier, number != 0 {
            try container.encode(String(number), forKey: "web_order_line_item_id")
        }
        if let offer = purchase.promotionalOfferIdentifier {
            try container.encode(offer, forKey: "promotional_offer_id")
        }
        if let date = purchase.cancellationDate {
            try container.encode(date, spellings: "cancellation_date")
            try container.encode(String(cancellationReason), forKey: "cancellation_reason")
        }
    }
}

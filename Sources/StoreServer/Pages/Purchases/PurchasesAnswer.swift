// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// A page of purchases for a script; times are in milliseconds since 1970.
struct PurchasesAnswer: Encodable, Sendable {
    /// A purchase. A single one has the state of the newest request for its
    /// refund, too.
    struct Listed: Encodable, Sendable {
        var transaction: String
        var bundle: String
        var product: String
        var quantity: Int
        var purchased: Int64
        /// When the period of a subscription ends.
        var expires: Int64?
        /// In thousandths of the currency, of all units.
        var milliunits: Int64
        var currency: String
        var refunded: Int64?
        /// A raw value of `RefundRequest.Status`.
        var refundRequest: String?

        init(_ entry: HistoryEntry) {
            let purchase = entry.purchase
            transaction = purchase.transactionIdentifier.rawValue
            bundle = purchase.bundleIdentifier.rawValue
            product = purchase.productIdentifier.rawValue
            quantity = purchase.quantity
            purchased = purchase.date.milliseconds
            expires = purchase.term?.expires.milliseconds
            milliunits = purchase.price.milliunits
            currency = purchase.price.currency
            refunded = purchase.revoked?.milliseconds
            refundRequest = entry.request?.status.rawValue
        }
    }

    var purchases: [Listed]
    /// The last purchase of the page, when older ones follow: `before` of the
    /// next page.
    var next: String?

    init(_ history: ReadingPurchaseHistory.Page) {
        purchases = history.entries.map(Listed.init)
        next = history.next?.rawValue
    }
}

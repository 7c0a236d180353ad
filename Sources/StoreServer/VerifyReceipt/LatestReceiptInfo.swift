// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// The periods of the subscriptions in a receipt.
struct LatestReceiptInfo {
    /// Newest first.
    let all: [InAppPurchase]

    init(_ purchases: [InAppPurchase]) {
        all = purchases.sorted { Self.end(of: $0) > Self.end(of: $1) }
    }

    /// The last period of each subscription, newest first.
    var latest: [InAppPurchase] {
        var seen: Set<String> = []
        return all.filter { seen.insert($0.originalTransactionIdentifier).inserted }
    }

    private static func end(of purchase: InAppPurchase) -> Date {
        purchase.subscriptionExpirationDate ?? purchase.purchaseDate
    }
}

/// The renewal state of a subscription, with Apple's field names, as far as
/// its last period shows it.
struct PendingRenewalBody: Encodable {
    private let last: InAppPurchase
    private let now: Date

    init(_ last: InAppPurchase, now: Date) {
        self.last = last
        self.now = now
    }

    func encode(to encoder: any Encoder) throws {
        let isOver = last.cancellationDate != nil || (last.subscriptionExpirationDate ?? now) <= now
        var container = encoder.container(keyedBy: ReceiptKey.self)
        try container.encode(last.productIdentifier, forKey: "product_id")
        try container.encode(last.productIdentifier, forKey: "auto_renew_product_id")
        try container.encode(last.originalTransactionIdentifier, forKey: "original_transaction_id")
        try container.encode(isOver ? "0" : "1", forKey: "auto_renew_status")
        if isOver {
            // Apple's 5 is an unknown reason. A receipt doesn't contain the reason.
            try container.encode("5", forKey: "expiration_intent")
            try container.encode("0", forKey: "is_in_billing_retry_period")
        }
    }
}

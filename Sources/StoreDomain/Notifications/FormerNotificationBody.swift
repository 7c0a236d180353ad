// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The body of a notification of version 1, without the shared secret: Apple's
/// `responseBodyV1`. The store has no `auto_renew_adam_id`, `bvrs` and
/// `deprecation`.
struct FormerNotificationBody: Encodable, Sendable {
    var notification: StoreNotification
    /// The store's environment, `Sandbox` or `Production`.
    var environment: StoreEnvironment
    /// The subscription of the transaction; `nil` for another product.
    var renewal: RenewalInfo?
    var receipt: UnifiedReceipt

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ReceiptKey.self)
        try container.encode(notification.kind.type, forKey: "notification_type")
        try container.encode(environment == .production ? "PROD" : "Sandbox", forKey: "environment")
        try container.encode(notification.bundleIdentifier.rawValue, forKey: "bid")
        try container.encodeIfPresent(Int64(notification.original.rawValue), forKey: "original_transaction_id")
        try container.encode(receipt, forKey: "unified_receipt")
        guard let renewal else { return }
        try container.encode(renewal.nextProduct.rawValue, forKey: "auto_renew_product_id")
        // "1" and "0" in `pending_renewal_info`.
        try container.encode(renewal.renews ? "true" : "false", forKey: "auto_renew_status")
        if let reason = renewal.reason { try container.encode(reason.rawValue, forKey: "expiration_intent") }
        if notification.kind.type == FormerNotificationType.status.rawValue {
            try container.encode(notification.at.wholeSeconds.date, spellings: "auto_renew_status_change_date")
        }
    }
}

/// `unified_receipt` of a notification of version 1.
struct UnifiedReceipt: Encodable, Sendable {
    var environment: StoreEnvironment
    /// A signed receipt of the account's purchases.
    var receipt: Data
    /// The newest transactions, newest first.
    var transactions: [LatestTransaction]
    var renewals: [RenewalInfo]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ReceiptKey.self)
        try container.encode(environment.rawValue, forKey: "environment")
        try container.encode(receipt.base64EncodedString(), forKey: "latest_receipt")
        try container.encode(transactions, forKey: "latest_receipt_info")
        // Apple leaves the list out for an account without a subscription.
        if !renewals.isEmpty { try container.encode(renewals, forKey: "pending_renewal_info") }
        try container.encode(0, forKey: "status")
    }
}

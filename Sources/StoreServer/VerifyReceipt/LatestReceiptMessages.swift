// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDomain
import StoreService

/// A transaction in `latest_receipt_info`: the fields of a purchase in a
/// receipt, and those that a receipt doesn't have.
struct LatestTransactionBody: Encodable {
    private let transaction: LatestTransaction

    init(_ transaction: LatestTransaction) {
        self.transaction = transaction
    }

    func encode(to encoder: any Encoder) throws {
        try InAppBody(transaction.purchase).encode(to: encoder)
        var container = encoder.container(keyedBy: ReceiptKey.self)
        try container.encodeIfPresent(transaction.group, forKey: "subscription_group_identifier")
        try container.encodeIfPresent(transaction.accountToken, forKey: "app_account_token")
        try container.encodeIfPresent(transaction.offerCodeName, forKey: "offer_code_ref_name")
        if transaction.isShared { try container.encode("FAMILY_SHARED", forKey: "in_app_ownership_type") }
        // Apple sends no "false".
        if transaction.isUpgraded { try container.encode("true", forKey: "is_upgraded") }
    }
}

/// A subscription in `pending_renewal_info`, with Apple's field names.
struct PendingRenewalBody: Encodable {
    private let renewal: RenewalInfo

    init(_ renewal: RenewalInfo) {
        self.renewal = renewal
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ReceiptKey.self)
        try container.encode(renewal.product.rawValue, forKey: "product_id")
        try container.encode(renewal.original.rawValue, forKey: "original_transaction_id")
        try container.encode(renewal.nextProduct.rawValue, forKey: "auto_renew_product_id")
        try container.encode(renewal.renews ? "1" : "0", forKey: "auto_renew_status")
        try container.encode(endOf: renewal)
        if let offer = renewal.promotionalOffer {
            try container.encode(offer, forKey: "promotional_offer_id")
        }
        try container.encode(increaseOf: renewal)
        try container.encodeIfPresent(renewal.offerCodeName, forKey: "offer_code_ref_name")
        if let end = renewal.graceEnd {
            try container.encode(end.wholeSeconds.date, spellings: "grace_period_expires_date")
        }
    }
}

extension KeyedEncodingContainer where Key == ReceiptKey {
    /// Encodes whether a customer who was informed of a higher price has agreed,
    /// and whether the price will be charged. The first is absent when no
    /// consent is needed, both when there is no higher price.
    mutating func encode(increaseOf renewal: RenewalInfo) throws {
        guard let increase = renewal.priceIncrease else { return }
        if increase.needsConsent { try encode(increase.isAgreed ? "1" : "0", forKey: "price_consent_status") }
        try encode(increase.isUndecided ? "0" : "1", forKey: "price_increase_status")
    }

    /// Encodes why a subscription has ended or wasn't renewed, and whether the
    /// charge is retried. Both are absent while the period runs.
    mutating func encode(endOf renewal: RenewalInfo) throws {
        guard let reason = renewal.reason else { return }
        try encode(String(reason.rawValue), forKey: "expiration_intent")
        try encode(renewal.isRetried ? "1" : "0", forKey: "is_in_billing_retry_period")
    }
}

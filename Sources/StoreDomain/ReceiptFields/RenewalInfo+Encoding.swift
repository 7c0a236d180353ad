// SPDX-License-Identifier: Apache-2.0

// The renewal of a subscription in `pending_renewal_info`, with Apple's field names.
extension RenewalInfo: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ReceiptKey.self)
        try container.encode(product.rawValue, forKey: "product_id")
        try container.encode(original.rawValue, forKey: "original_transaction_id")
        try container.encode(nextProduct.rawValue, forKey: "auto_renew_product_id")
        try container.encode(renews ? "1" : "0", forKey: "auto_renew_status")
        try container.encode(endOf: self)
        if let offer = promotionalOffer {
            try container.encode(offer, forKey: "promotional_offer_id")
        }
        try container.encode(increaseOf: self)
        try container.encodeIfPresent(offerCodeName, forKey: "offer_code_ref_name")
        if let end = graceEnd {
            try container.encode(end.wholeSeconds.date, spellings: "grace_period_expires_date")
        }
    }
}

extension KeyedEncodingContainer where Key == ReceiptKey {
    /// Encodes whether a customer who was informed of a higher price has agreed,
    /// and whether the price will be charged. The first is absent when no
    /// consent is needed, both when there is no higher price.
    fileprivate mutating func encode(increaseOf renewal: RenewalInfo) throws {
        guard let increase = renewal.priceIncrease else { return }
        if increase.needsConsent { try encode(increase.isAgreed ? "1" : "0", forKey: "price_consent_status") }
        try encode(increase.isUndecided ? "0" : "1", forKey: "price_increase_status")
    }

    /// Encodes why a subscription has ended or wasn't renewed, and whether the
    /// charge is retried. Both are absent while the period runs.
    package mutating func encode(endOf renewal: RenewalInfo) throws {
        guard let reason = renewal.reason else { return }
        try encode(String(reason.rawValue), forKey: "expiration_intent")
        try encode(renewal.isRetried ? "1" : "0", forKey: "is_in_billing_retry_period")
    }
}

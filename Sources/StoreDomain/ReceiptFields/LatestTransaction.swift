// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
import Foundation

/// A transaction in `latest_receipt_info`: the values of a purchase in a
/// receipt, and those that a receipt doesn't have.
package struct LatestTransaction: Sendable {
    package var purchase: InAppPurchase
    /// The group of a subscription.
    package var group: String?
    /// Whether the customer has changed to another product before the period's
    /// end.
    package var isUpgraded = false
    /// The user name of the payment if it is a UUID.
    package var accountToken: String?
    /// Whether the account has it from another member of its family.
    package var isShared = false
    /// The name of the code offer with which a subscription's period was
    /// bought; `nil` for every other purchase.
    package var offerCodeName: String?
    /// Why it was refunded: 1 for a problem of the app, 0 for another reason, and when only the receipt is known.
    var cancellationReason: Int64 = 0

    package init(purchase: InAppPurchase) {
        self.purchase = purchase
    }

    init(_ purchase: Purchase, _ details: ServedDetails) {
        self.purchase = InAppPurchase(purchase)
        group = purchase.term?.group.rawValue
        isUpgraded = purchase.term?.isUpgraded ?? false
        accountToken = details.accountToken(of: purchase)
        cancellationReason = details.revocationReason(of: purchase)
        offerCodeName = purchase.term?.offer?.codeName
        isShared = purchase.share != nil
    }
}

extension LatestTransaction: Encodable {
    package func encode(to encoder: any Encoder) throws {
        try InAppFields(purchase, isShared: isShared, cancellationReason: cancellationReason).encode(to: encoder)
        var container = encoder.container(keyedBy: ReceiptKey.self)
        try container.encodeIfPresent(group, forKey: "subscription_group_identifier")
        try container.encodeIfPresent(accountToken, forKey: "app_account_token")
        try container.encodeIfPresent(offerCodeName, forKey: "offer_code_ref_name")
        // Apple sends no "false".
        if isUpgraded { try container.encode("true", forKey: "is_upgraded") }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The type and the subtype of a notification: `notificationType` and
/// `subtype` of App Store Server Notifications.
package struct NotificationKind: Hashable, Sendable {
    package var type: String
    /// Empty for a type without one.
    package var subtype: String

    package init(_ type: String, _ subtype: String = "") {
        self.type = type
        self.subtype = subtype
    }

    /// Such as `DID_RENEW/BILLING_RECOVERY`, or `DID_RENEW` without a subtype.
    package var name: String { subtype.isEmpty ? type : "\(type)/\(subtype)" }

    package static let firstSubscription = NotificationKind("SUBSCRIBED", "INITIAL_BUY")
    package static let resubscription = NotificationKind("SUBSCRIBED", "RESUBSCRIBE")
    package static let renewal = NotificationKind("DID_RENEW")
    package static let recovery = NotificationKind("DID_RENEW", "BILLING_RECOVERY")
    package static let upgrade = NotificationKind("DID_CHANGE_RENEWAL_PREF", "UPGRADE")
    package static let downgrade = NotificationKind("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE")
    /// The customer has chosen the product of the running period again.
    package static let planKept = NotificationKind("DID_CHANGE_RENEWAL_PREF")
    package static let offerRedeemed = NotificationKind("OFFER_REDEEMED")
    package static let offerUpgrade = NotificationKind("OFFER_REDEEMED", "UPGRADE")
    package static let offerDowngrade = NotificationKind("OFFER_REDEEMED", "DOWNGRADE")
    package static let renewalDisabled = NotificationKind("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED")
    package static let renewalEnabled = NotificationKind("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED")
    package static let failure = NotificationKind("DID_FAIL_TO_RENEW")
    package static let grace = NotificationKind("DID_FAIL_TO_RENEW", "GRACE_PERIOD")
    package static let graceEnd = NotificationKind("GRACE_PERIOD_EXPIRED")
    package static let expiredVoluntarily = NotificationKind("EXPIRED", "VOLUNTARY")
    package static let expiredUnpaid = NotificationKind("EXPIRED", "BILLING_RETRY")
    package static let expiredForPrice = NotificationKind("EXPIRED", "PRICE_INCREASE")
    package static let expiredUnsold = NotificationKind("EXPIRED", "PRODUCT_NOT_FOR_SALE")
    /// The subscription ends for another reason.
    package static let expired = NotificationKind("EXPIRED")
    package static let extended = NotificationKind("RENEWAL_EXTENDED")
    package static let consentPending = NotificationKind("PRICE_INCREASE", "PENDING")
    package static let consentGiven = NotificationKind("PRICE_INCREASE", "ACCEPTED")
    package static let oneTimeCharge = NotificationKind("ONE_TIME_CHARGE")
    package static let consumptionRequest = NotificationKind("CONSUMPTION_REQUEST")
    package static let refund = NotificationKind("REFUND")
    package static let refundReversed = NotificationKind("REFUND_REVERSED")
    package static let refundDeclined = NotificationKind("REFUND_DECLINED")
    package static let revocation = NotificationKind("REVOKE")
    package static let extensionSummary = NotificationKind("RENEWAL_EXTENSION", "SUMMARY")
    package static let extensionFailure = NotificationKind("RENEWAL_EXTENSION", "FAILURE")
    package static let test = NotificationKind("TEST")

    /// The notification that a member of a family has got a purchase: after the
    /// last one of the subscription that the member had, and as the sharing
    /// account's period has begun.
    static func beginning(
        of share: Purchase, after last: Purchase? = nil, as kind: SubscriptionEvent.Kind? = nil
    ) -> NotificationKind {
        guard share.term != nil else { return oneTimeCharge }
        guard !share.isOriginal else { return firstSubscription }
        if kind == .subscribed || last?.revoked != nil { return resubscription }
        return kind == .recovered ? recovery : renewal
    }
}

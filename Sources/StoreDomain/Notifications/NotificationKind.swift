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

    package static let firstSubscription = NotificationKind("SUBSCRIBED", "INITIAL_BUY")
    package static let resubscription = NotificationKind("SUBSCRIBED", "RESUBSCRIBE")
    package static let renewal = NotificationKind("DID_RENEW")
    package static let recovery = NotificationKind("DID_RENEW", "BILLING_RECOVERY")
    package static let oneTimeCharge = NotificationKind("ONE_TIME_CHARGE")
    package static let consumptionRequest = NotificationKind("CONSUMPTION_REQUEST")
    package static let refund = NotificationKind("REFUND")
    package static let refundDeclined = NotificationKind("REFUND_DECLINED")
    package static let revocation = NotificationKind("REVOKE")
    package static let extensionSummary = NotificationKind("RENEWAL_EXTENSION", "SUMMARY")
    package static let extensionFailure = NotificationKind("RENEWAL_EXTENSION", "FAILURE")
    package static let test = NotificationKind("TEST")

    /// The notification that a member of a family has got a purchase.
    static func beginning(of share: Purchase) -> NotificationKind {
        guard share.term != nil else { return oneTimeCharge }
        return share.isOriginal ? firstSubscription : renewal
    }
}

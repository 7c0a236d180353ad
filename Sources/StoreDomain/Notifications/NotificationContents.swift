// SPDX-License-Identifier: Apache-2.0

import AppReceipts

/// The purchase and the renewal of a notification, as they were after its
/// cause.
struct NotificationContents: Sendable {
    var purchase: Purchase?
    var renewal: ServedRenewal?
    var status: SubscriptionState.Status?
    /// The subscription of the purchase after the cause; `nil` without one.
    var state: SubscriptionState?
}

extension NotificationPayload {
    /// The payload of a notification, without the signed values of its data;
    /// `number` is that of the app in the store.
    init(
        _ notification: StoreNotification, number: Int64?, in environment: StoreEnvironment, signed: WallTime
    ) {
        self.init()
        self.notificationType = notification.kind.type
        if !notification.kind.subtype.isEmpty { self.subtype = notification.kind.subtype }
        self.notificationUUID = notification.identifier
        self.version = "2.0"
        self.signedDate = signed.date
        var common: [String: JSONValue] = ["environment": .string(PayloadEnvironment(environment).rawValue)]
        common["bundleId"] = .string(notification.bundleIdentifier.rawValue)
        common["appAppleId"] = number.map { JSONValue.number(String($0)) }
        guard let summary = notification.details.summary else {
            common["consumptionRequestReason"] = notification.details.consumptionReason.map(JSONValue.string)
            self.data = .object(common)
            return
        }
        common["requestIdentifier"] = .string(summary.request)
        common["productId"] = .string(summary.product)
        if !summary.storefronts.isEmpty {
            common["storefrontCountryCodes"] = .array(summary.storefronts.map(JSONValue.string))
        }
        common["succeededCount"] = .number(String(summary.succeeded))
        common["failedCount"] = .number(String(summary.failed))
        self.summary = .object(common)
    }
}

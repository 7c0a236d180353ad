// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A signed notification of version 2: `responseBodyV2DecodedPayload` of App
/// Store Server Notifications.
public struct NotificationPayload: SignedPayload {
    /// All fields, also those that this version has no name for.
    public var members: [String: JSONValue] = [:]

    /// A payload without fields.
    public init() {}

    /// The fields that have a name and a type.
    public static let fields = Fields()
    /// The types that the fields are held to.
    public static let types = PayloadTypes(of: Fields())

    /// When the store signed it.
    public var dateOfSigning: Date? { self.signedDate }
    /// The app, as whichever object the notification is about says it.
    public var statedBundleIdentifier: String? { subject("bundleId").flatMap(String.init(json:)) }
    /// The environment. A token for external purchases has none: its
    /// identifier begins with `SANDBOX`, or it is production's.
    public var statedEnvironment: PayloadEnvironment? {
        if let stated = subject("environment").flatMap(PayloadEnvironment.init(json:)) { return stated }
        guard let token = subject("externalPurchaseId").flatMap(String.init(json:)) else { return nil }
        return token.hasPrefix("SANDBOX") ? .sandbox : .production
    }

    private func subject(_ name: String) -> JSONValue? {
        for case .object(let members)? in [self.data, self.summary, self.externalPurchaseToken, self.appData] {
            return members[name]
        }
        return nil
    }

    /// The fields that have a name and a type.
    public struct Fields: Sendable {
        /// What happened, such as `REFUND`.
        public let notificationType = PayloadField<String>("notificationType")
        /// What exactly happened, such as `UPGRADE`.
        public let subtype = PayloadField<String>("subtype")
        /// The notification; the same when it is sent again.
        public let notificationUUID = PayloadField<String>("notificationUUID")
        /// The version of the format: `2.0`.
        public let version = PayloadField<String>("version")
        /// When the store signed this.
        public let signedDate = PayloadField<Date>("signedDate")
        /// What it happened to: app, environment, signed transaction and renewal info.
        public let data = PayloadField<JSONValue>("data")
        /// How many renewal dates were extended.
        public let summary = PayloadField<JSONValue>("summary")
        /// A purchase outside of the store.
        public let externalPurchaseToken = PayloadField<JSONValue>("externalPurchaseToken")
        /// The app that it happened to.
        public let appData = PayloadField<JSONValue>("appData")
    }
}

// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The payload of a signed notification of version 2:
/// `responseBodyV2DecodedPayload` of App Store Server Notifications.
public struct NotificationPayload: SignedPayload {
    /// All fields, including those that ``Fields`` doesn't have.
    public var members: [String: JSONValue] = [:]

    /// A payload without fields.
    public init() {}

    /// The fields that have a name and a type.
    public static let fields = Fields()
    /// The types that the values of the fields must have.
    public static let types = PayloadTypes(of: Fields())

    /// When the store signed the payload.
    public var dateOfSigning: Date? { self.signedDate }
    /// The bundle identifier in the object that the notification is about.
    public var statedBundleIdentifier: String? { subject("bundleId").flatMap(String.init(json:)) }
    /// The environment in the object that the notification is about. A token
    /// for external purchases has none: its environment is the sandbox if its
    /// identifier begins with `SANDBOX`, and production otherwise.
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
        /// The type of the event, such as `REFUND`.
        public let notificationType = PayloadField<String>("notificationType")
        /// The subtype of the event, such as `UPGRADE`.
        public let subtype = PayloadField<String>("subtype")
        /// The identifier of the notification, which is the same when it is
        /// sent again.
        public let notificationUUID = PayloadField<String>("notificationUUID")
        /// The version of the format: `2.0`.
        public let version = PayloadField<String>("version")
        /// When the store signed this.
        public let signedDate = PayloadField<Date>("signedDate")
        /// The app, environment, signed transaction and renewal info of the
        /// event.
        public let data = PayloadField<JSONValue>("data")
        /// The summary of an extension of renewal dates.
        public let summary = PayloadField<JSONValue>("summary")
        /// The token of a purchase outside of the store.
        public let externalPurchaseToken = PayloadField<JSONValue>("externalPurchaseToken")
        /// The app of the event.
        public let appData = PayloadField<JSONValue>("appData")
    }
}

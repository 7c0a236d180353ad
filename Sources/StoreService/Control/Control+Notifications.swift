// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

extension StoreService {
    /// Carries out the calls about the addresses of sellers' servers.
    func controlNotificationAddresses(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        let changing = ChangingNotificationAddresses(context)
        if verb == .notificationAddresses {
            _ = try decode(Control.NotificationAddressesCall.self, from: body, of: verb.rawValue)
        } else {
            let call = try decode(Control.NotificationAddressCall.self, from: body, of: verb.rawValue)
            let app = BundleIdentifier(call.bundle ?? "")
            if verb == .addNotificationAddress {
                try await changing.add(call.url, of: app, version: try Self.version(call.version))
            } else {
                try await changing.remove(call.url, of: app)
            }
        }
        return try encode(
            Control.NotificationAddressesAnswer(
                addresses: try await changing().map { address in
                    let app = address.bundleIdentifier.rawValue
                    return .init(
                        url: address.url, bundle: app.isEmpty ? nil : app, version: Int(address.version.rawValue))
                }))
    }

    /// The version of a call; `nil` without one.
    ///
    /// - Throws: `DomainError` `invalid`.
    static func version(_ number: Int?) throws -> NotificationVersion? {
        try number.map { number in
            guard let version = NotificationVersion(rawValue: Int64(number)) else {
                throw DomainError(.invalid, "The version of notifications is 1 or 2.")
            }
            return version
        }
    }

    /// Carries out the calls about notifications.
    func controlNotifications(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        let listing = ListingNotifications(context)
        switch verb {
        case .settleNotifications:
            let call = try decode(Control.SettleNotificationsCall.self, from: body, of: verb.rawValue)
            let limit = call.limit ?? 10_000
            guard (0...60_000).contains(limit) else {
                throw DomainError(.invalid, "The limit is a number of milliseconds from 0 to 60000.")
            }
            let app = BundleIdentifier(call.bundle ?? "")
            return try encode(
                Control.SettleNotificationsAnswer(
                    settled: try await settleNotifications(of: app, within: .milliseconds(limit))))
        case .resendNotification:
            let call = try decode(Control.NotificationCall.self, from: body, of: verb.rawValue)
            try await listing.sendAgain(call.notification)
            return try encode(Control.NotificationAnswer(try await listing.find(call.notification)))
        case .showNotification:
            let call = try decode(Control.NotificationCall.self, from: body, of: verb.rawValue)
            return try encode(Control.NotificationAnswer(try await listing.find(call.notification)))
        default:
            let call = try decode(Control.NotificationsCall.self, from: body, of: verb.rawValue)
            let page = try await listing(of: BundleIdentifier(call.bundle ?? ""), before: call.after)
            return try encode(Control.NotificationsAnswer(notifications: page.map(Control.NotificationAnswer.init)))
        }
    }
}

extension Control.NotificationAnswer {
    init(_ listed: ListingNotifications.Listed) {
        let notification = listed.notification
        func present(_ text: String) -> String? { text.isEmpty ? nil : text }
        self.init(
            notification: notification.identifier, version: Int(notification.version.rawValue),
            bundle: notification.bundleIdentifier.rawValue,
            type: notification.kind.type, subtype: present(notification.kind.subtype),
            transaction: present(notification.transaction.rawValue),
            originalTransaction: present(notification.original.rawValue), created: notification.created.milliseconds,
            payload: notification.payload, deliveries: listed.deliveries.map(Control.NotificationDeliveryAnswer.init))
    }
}

extension Control.NotificationDeliveryAnswer {
    init(_ delivery: NotificationDelivery) {
        self.init(
            url: delivery.url, state: delivery.state.rawValue,
            attempts: delivery.attempts.map { .init(date: $0.at.milliseconds, result: $0.result.rawValue) },
            due: delivery.due?.milliseconds)
    }
}

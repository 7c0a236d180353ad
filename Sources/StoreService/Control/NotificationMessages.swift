// SPDX-License-Identifier: Apache-2.0

extension Control {
    /// Lists the addresses to which the store sends notifications.
    package struct NotificationAddressesCall: Codable, Sendable {
        package init() {}
    }

    /// Names an address to which the store sends notifications.
    package struct NotificationAddressCall: Codable, Sendable {
        package var url: String
        /// The app; all apps when absent.
        package var bundle: String?
        /// 1 or 2; 2 when absent. Only an address that is added has it.
        package var version: Int?

        package init(url: String, bundle: String? = nil, version: Int? = nil) {
            self.url = url
            self.bundle = bundle
            self.version = version
        }
    }

    package struct NotificationAddressAnswer: Codable, Sendable {
        package var url: String
        /// The app; absent for all apps.
        package var bundle: String?
        /// 1 or 2.
        package var version: Int
    }

    /// All addresses, those for all apps first.
    package struct NotificationAddressesAnswer: Codable, Sendable {
        package var addresses: [NotificationAddressAnswer]
    }

    /// Lists notifications, newest first.
    package struct NotificationsCall: Codable, Sendable {
        /// The app; all apps when absent.
        package var bundle: String?
        /// Lists those before the one with this identifier; from the newest
        /// when absent.
        package var after: String?

        package init(bundle: String? = nil, after: String? = nil) {
            self.bundle = bundle
            self.after = after
        }
    }

    /// Names a notification.
    package struct NotificationCall: Codable, Sendable {
        package var notification: String

        package init(notification: String) {
            self.notification = notification
        }
    }

    /// An attempt to send a notification.
    package struct NotificationAttemptAnswer: Codable, Sendable {
        /// In milliseconds since 1970.
        package var date: Int64
        /// `sendAttemptResult` of the App Store Server API.
        package var result: String
    }

    /// The delivery of a notification to an address.
    package struct NotificationDeliveryAnswer: Codable, Sendable {
        package var url: String
        /// `due`, `held`, `listened`, `delivered` or `failed`.
        package var state: String
        package var attempts: [NotificationAttemptAnswer]
        /// When the next attempt is due, in milliseconds since 1970; absent
        /// without one.
        package var due: Int64?
    }

    package struct NotificationAnswer: Codable, Sendable {
        /// The `notificationUUID`; version 1 doesn't send it.
        package var notification: String
        /// 1 or 2.
        package var version: Int
        package var bundle: String
        /// `notificationType`, or `notification_type` of version 1.
        package var type: String
        /// Absent for a type without one.
        package var subtype: String?
        /// Absent for a notification about no transaction.
        package var transaction: String?
        package var originalTransaction: String?
        /// When its cause happened, in milliseconds since 1970.
        package var created: Int64
        /// The JWS that is sent, or the JSON of version 1 without `password`;
        /// absent until it is signed.
        package var payload: String?
        package var deliveries: [NotificationDeliveryAnswer]
    }

    package struct NotificationsAnswer: Codable, Sendable {
        package var notifications: [NotificationAnswer]
    }

    /// Waits until nothing is due to be sent.
    package struct SettleNotificationsCall: Codable, Sendable {
        /// The app; all apps when absent.
        package var bundle: String?
        /// How long to wait, in milliseconds, from 0 to 60000; 10000 when
        /// absent.
        package var limit: Int?

        package init(bundle: String? = nil, limit: Int? = nil) {
            self.bundle = bundle
            self.limit = limit
        }
    }

    package struct SettleNotificationsAnswer: Codable, Sendable {
        /// Whether nothing is due; `false` when the time was over before.
        package var settled: Bool
    }
}

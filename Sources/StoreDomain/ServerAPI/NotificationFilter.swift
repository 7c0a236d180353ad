// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The notifications that a seller's server asks for.
package struct NotificationFilter: Hashable, Sendable {
    package var start: WallTime
    package var end: WallTime
    /// `notificationType`; `nil` for all.
    package var type: String?
    /// `nil` for all subtypes.
    package var subtype: String?
    /// Any transaction of the customer; `nil` for all customers.
    package var transaction: TransactionIdentifier?
    /// Only those that an address hasn't received.
    package var onlyFailures = false

    package init(start: WallTime, end: WallTime) {
        self.start = start
        self.end = end
    }

    /// The types of version 2, with the subtypes that each can have (the pages *notificationType* and *subtype*, version 2.23,
    /// and those that earlier versions had).
    package static let types: [String: Set<String>] = [
        "CONSUMPTION_REQUEST": [],
        "DID_CHANGE_RENEWAL_PREF": ["UPGRADE", "DOWNGRADE", "INCREASE_QUANTITY", "DECREASE_QUANTITY"],
        "DID_CHANGE_RENEWAL_STATUS": ["AUTO_RENEW_ENABLED", "AUTO_RENEW_DISABLED"],
        "DID_FAIL_TO_RENEW": ["GRACE_PERIOD"], "DID_RENEW": ["BILLING_RECOVERY"],
        "EXPIRED": ["VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE"],
        "EXTERNAL_PURCHASE_TOKEN": ["UNREPORTED", "CREATED", "ACTIVE_TOKEN_REMINDER"], "GRACE_PERIOD_EXPIRED": [],
        "METADATA_UPDATE": [], "MIGRATION": [],
        "OFFER_REDEEMED": ["UPGRADE", "DOWNGRADE", "INITIAL_BUY", "RESUBSCRIBE"], "ONE_TIME_CHARGE": [],
        "PRICE_CHANGE": [], "PRICE_INCREASE": ["PENDING", "ACCEPTED"], "REFUND": ["SEATS"], "REFUND_DECLINED": [],
        "REFUND_REVERSED": [], "RENEWAL_EXTENDED": [], "RENEWAL_EXTENSION": ["SUMMARY", "FAILURE"],
        "RESCIND_CONSENT": [], "REVOKE": [], "SUBSCRIBED": ["INITIAL_BUY", "RESUBSCRIBE"], "TEST": [],
        "UNCLAIM_SEATS": [],
    ]

    /// A place in the history: `paginationToken`. Notifications of one
    /// millisecond are in the order of their causes.
    package struct Place: Hashable, Sendable {
        var created: WallTime
        /// The number of the account's event, and the place of the cause.
        var event: Int64
        var number: Int64
        var identifier: String

        init(created: WallTime, event: Int64, number: Int64, identifier: String) {
            self.created = created
            self.event = event
            self.number = number
            self.identifier = identifier
        }

        /// Reads a token; `nil` for another text.
        package init?(_ text: String) {
            let parts = text.split(separator: "_", omittingEmptySubsequences: false)
            let numbers = parts.dropLast().compactMap { Int64($0) }
            guard parts.count == 4, numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }), let last = parts.last,
                UUID(uuidString: String(last)) != nil
            else { return nil }
            self.init(
                created: WallTime(milliseconds: numbers[0]), event: numbers[1], number: numbers[2],
                identifier: String(last).lowercased())
        }

        package var text: String { "\(created.milliseconds)_\(event)_\(number)_\(identifier)" }

        /// The place before all notifications, of which lists begin with the
        /// newest one.
        static let newest = Place(created: WallTime(milliseconds: .max), event: 0, number: 0, identifier: "")
    }
}

// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// A notification to a seller's servers about a change (table `notification`).
///
/// The transaction of the change saves it, without a payload. Outside of that
/// transaction ``SigningNotifications`` makes the payload once and orders the
/// deliveries, which ``SendingNotifications`` carries out.
package struct StoreNotification: Hashable, Sendable {
    /// The `notificationUUID`.
    package var identifier: String
    package var bundleIdentifier: BundleIdentifier
    package var version = NotificationVersion.two
    /// Of version 1 the type is the `notification_type`.
    package var kind: NotificationKind
    /// The customer's account; `nil` for a notification about no customer.
    package var account: AccountIdentifier?
    /// The transaction of the payload; empty without one.
    package var transaction: TransactionIdentifier
    /// Empty without a transaction.
    package var original: OriginalTransactionIdentifier
    /// The number of the subscription's events at the time of the change; 0
    /// without a subscription.
    package var stateNumber: Int64
    /// The account's time of the change.
    package var at: StoreTime
    package var details: Details
    /// The JWS, or the body of version 1 without the shared secret; `nil` until
    /// it is signed.
    package var payload: String?
    package var signed: WallTime?
    package var created: WallTime
    /// Its place among the notifications of a chain, and of a millisecond.
    var order: Order

    /// The order in which the notifications of a chain are sent, and in which
    /// those of a millisecond are listed.
    struct Order: Hashable, Sendable {
        /// The number of the account's newest event.
        var event: Int64
        var created: WallTime
        var place: Int64
    }

    /// The values that only some types have.
    package struct Details: Codable, Hashable, Sendable {
        /// `consumptionRequestReason`.
        package var consumptionReason: String?
        package var summary: Summary?
        /// Of a refund the part of the price, in thousandths of a percent; `nil`
        /// for the whole price.
        package var revokedPart: Int64?
        /// Of a further refund of a purchase when the first one has revoked it,
        /// in milliseconds; `nil` for the moment of the cause.
        package var revoked: Int64?

        package init(consumptionReason: String? = nil, summary: Summary? = nil) {
            self.consumptionReason = consumptionReason
            self.summary = summary
        }
    }

    /// The values of `RENEWAL_EXTENSION` with the subtype `SUMMARY`.
    package struct Summary: Codable, Hashable, Sendable {
        package var request: String
        package var product: String
        package var storefronts: [String]
        package var succeeded: Int
        package var failed: Int
    }

    /// Whether its cause revokes the transaction.
    var revokes: Bool {
        [.refund, .revocation, NotificationKind(FormerNotificationType.cancellation.rawValue)].contains(kind)
    }

    /// Its place in the lists of notifications.
    var listPlace: NotificationFilter.Place {
        .init(created: created, event: order.event, number: order.place, identifier: identifier)
    }

    /// The original transaction, or the notification itself: one notification
    /// of a chain at a time is on its way to an address.
    var chain: String { original.rawValue.isEmpty ? identifier : original.rawValue }

    /// A UUID that depends only on some values, so that a transaction that runs
    /// again writes the same one. It has the version 8 (RFC 9562, section 5.8).
    static func identifier(of parts: [String]) -> String {
        // No part has a line break.
        var bytes = Array(SHA256.hash(data: Data(parts.joined(separator: "\n").utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0f | 0x80
        bytes[8] = bytes[8] & 0x3f | 0x80
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: UUID.self) }.uuidString.lowercased()
    }
}

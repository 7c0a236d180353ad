// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreDomain

extension SKTestSession {
    /// An event of a subscription while the session's time was advanced.
    public struct SubscriptionEvent: Hashable, Sendable {
        /// The kinds of events.
        public struct Kind: RawRepresentable, Hashable, Sendable {
            /// The name, as `storectl clock advance` prints it.
            public var rawValue: String

            /// Names a kind.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The customer has bought the first period, or one after the
            /// subscription had ended.
            public static let subscribed = Kind(rawValue: "subscribed")
            /// The next period has begun.
            public static let renewed = Kind(rawValue: "renewed")
            /// A charge that had failed succeeded.
            public static let recovered = Kind(rawValue: "recovered")
            /// A renewal couldn't be charged: the grace period or the retries
            /// have begun.
            public static let billingFailed = Kind(rawValue: "billing failed")
            /// The grace period has ended.
            public static let graceEnded = Kind(rawValue: "grace ended")
            /// The subscription has ended.
            public static let expired = Kind(rawValue: "expired")
        }

        /// The session's time at which it happened.
        public let date: Date
        /// The kind of the event.
        public let kind: Kind
        /// The product of the period in which it happened.
        public let productIdentifier: String
        /// The transaction of that period.
        public let transactionIdentifier: UInt
        /// The transaction of the subscription's first period.
        public let originalTransactionIdentifier: UInt

        init(_ event: DatedEvent) {
            date = Date(timeIntervalSince1970: Double(event.event.at.milliseconds) / 1000)
            kind = Kind(rawValue: event.event.kind.rawValue)
            productIdentifier = event.product.rawValue
            transactionIdentifier = UInt(event.transaction.rawValue) ?? 0
            originalTransactionIdentifier = UInt(event.original.rawValue) ?? 0
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AppReceipts
public import Foundation

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Transaction {
    /// The type of a revocation.
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public struct RevocationType: RawRepresentable, Equatable, Hashable, Sendable {
        /// The name in signed values.
        public let rawValue: String

        /// A type with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The whole price was refunded.
        public static let fullRefund = Transaction.RevocationType(rawValue: "REFUND_FULL")
        /// A part of the price was refunded: ``Transaction/revocationPercentage``.
        public static let proratedRefund = Transaction.RevocationType(rawValue: "REFUND_PRORATED")
        /// The product isn't shared with this member of the family any more.
        public static let familyRevocation = Transaction.RevocationType(rawValue: "FAMILY_REVOKE")
        /// The purchaser has taken the product away from this person.
        public static let assignmentRevocation = Transaction.RevocationType(rawValue: "ASSIGNMENT_REVOKE")
    }

    /// The refunded part of the price, from 0 to 100 percent, with three
    /// decimal places; `nil` for a transaction that isn't refunded.
    public var revocationPercentage: Decimal? { payload.revocationPercentage.map { Decimal(milliunits: $0) } }
}

// SPDX-License-Identifier: Apache-2.0

/// A part of a payment's amount, or all of it, that the customer gets back.
///
/// It is saved with its ledger entry before the provider is called. The
/// provider carries it out once, however often it is asked, because it knows
/// the refund's identifier.
package struct PaymentRefund: Hashable, Sendable {
    /// Whether the provider has carried the refund out.
    package struct Status: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The provider still has to give back the amount.
        package static let due = Status(rawValue: "due")
        /// The provider has given back the amount.
        package static let done = Status(rawValue: "done")
        /// The refund is taken back; the provider still has to collect the
        /// amount again.
        package static let reversing = Status(rawValue: "reversing")
        /// The provider has collected the amount again.
        package static let reversed = Status(rawValue: "reversed")
    }

    /// Why the customer gets the amount back.
    package struct Reason: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer or the seller has asked for it.
        package static let requested = Reason(rawValue: "requested")
        /// The customer has changed a subscription before its period's end.
        package static let upgrade = Reason(rawValue: "upgrade")
    }

    /// 16 random bytes in hexadecimal. The ledger entry has the same
    /// identifier.
    package var identifier: RefundIdentifier
    package var payment: PaymentIdentifier
    /// More than zero.
    package var amount: Money
    package var reason: Reason
    package var status: Status

    /// The most refunds of a payment that leave a part of it. The rest can
    /// always be given back.
    static let mostParts = 100
}

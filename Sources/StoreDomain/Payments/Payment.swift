// SPDX-License-Identifier: Apache-2.0

/// An attempt to collect the money for a request.
package struct Payment: Hashable, Sendable {
    /// The state of a payment.
    package struct Status: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The right to buy is held; the provider may have been asked or not.
        package static let reserved = Status(rawValue: "reserved")
        /// Authorised, and the purchase is made; the capture is due.
        package static let committed = Status(rawValue: "committed")
        package static let captured = Status(rawValue: "captured")
        package static let declined = Status(rawValue: "declined")
        /// The purchase is refunded; the provider still has to give back the
        /// money.
        package static let refunding = Status(rawValue: "refunding")
        package static let refunded = Status(rawValue: "refunded")
        /// Authorised, then released, because the purchase couldn't be made.
        package static let voided = Status(rawValue: "voided")
    }

    package var number: String
    package var device: DeviceIdentifier
    package var requestIdentifier: String
    package var account: String
    package var amount: Money
    /// The country code of the storefront in whose currency the amount is.
    package var storefront: String
    package var status: Status
}

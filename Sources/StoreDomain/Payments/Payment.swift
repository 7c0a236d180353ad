// SPDX-License-Identifier: Apache-2.0

/// One try to collect money for a request.
package struct Payment: Hashable, Sendable {
    /// How far it is.
    package struct Status: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The right to buy is held; the provider may or may not have been asked.
        package static let reserved = Status(rawValue: "reserved")
        /// Authorised, and the purchase is made; the capture is due.
        package static let committed = Status(rawValue: "committed")
        package static let captured = Status(rawValue: "captured")
        package static let declined = Status(rawValue: "declined")
        /// The purchase is refunded; the money is due to go back.
        package static let refunding = Status(rawValue: "refunding")
        package static let refunded = Status(rawValue: "refunded")
        /// Authorised, and given back, because the purchase couldn't be made.
        package static let voided = Status(rawValue: "voided")
    }

    package var number: String
    package var device: DeviceIdentifier
    package var requestIdentifier: String
    package var account: String
    package var amount: Money
    /// The country whose store the amount is of.
    package var storefront: String
    package var status: Status
}

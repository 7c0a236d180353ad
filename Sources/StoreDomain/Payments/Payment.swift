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
        /// The provider has collected the amount.
        package static let captured = Status(rawValue: "captured")
        /// The provider declined the payment; nothing was charged.
        package static let declined = Status(rawValue: "declined")
        /// The purchase is refunded; the provider still has to give back the
        /// money.
        package static let refunding = Status(rawValue: "refunding")
        /// The provider has given back the money.
        package static let refunded = Status(rawValue: "refunded")
        /// Authorised, then released, because the purchase couldn't be made.
        package static let voided = Status(rawValue: "voided")
    }

    /// The number under which the provider records the payment: 16 random
    /// bytes in hexadecimal.
    package var number: PaymentIdentifier
    /// The device whose request is paid for.
    package var device: DeviceIdentifier
    package var requestIdentifier: RequestIdentifier
    /// The identifier of the account that pays.
    package var account: AccountIdentifier
    package var amount: Money
    /// The country code of the storefront in whose currency the amount is.
    package var storefront: String
    package var status: Status
}

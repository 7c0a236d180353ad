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
        /// The provider answers later. The right to buy is still held, until
        /// ``Payment/pending`` expires.
        package static let pending = Status(rawValue: "pending")
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
        /// No purchase is made by it; the provider still has to release the
        /// amount, or to end the pending payment.
        package static let voiding = Status(rawValue: "voiding")
        /// The provider has released the amount, because the purchase couldn't
        /// be made or the authorisation came too late.
        package static let voided = Status(rawValue: "voided")

        /// Whether the payment led to no purchase, and never will.
        var endedWithoutPurchase: Bool { self == .declined || self == .voiding || self == .voided }
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
    /// The provider's part of a payment that is or was pending; `nil` for any
    /// other.
    package var pending: PendingAuthorisation?
}

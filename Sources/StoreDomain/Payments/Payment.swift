// SPDX-License-Identifier: Apache-2.0

/// An attempt to collect the money for a purchase.
package struct Payment: Hashable, Sendable {
    /// The purpose of a payment.
    package enum Purpose: Hashable, Sendable {
        case request(RequestIdentifier, of: DeviceIdentifier)
        /// The next purchase of a chain, such as the renewal of a
        /// subscription. No device asks for it.
        case renewal(of: OriginalTransactionIdentifier)
    }

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
        /// Authorised for the next period of a subscription, which hasn't begun
        /// yet.
        package static let authorised = Status(rawValue: "authorised")
        /// Authorised, and the purchase is made; the capture is due.
        package static let committed = Status(rawValue: "committed")
        /// The provider has collected the amount.
        package static let captured = Status(rawValue: "captured")
        /// The provider declined the payment; nothing was charged.
        package static let declined = Status(rawValue: "declined")
        /// Nothing of the amount is left; the provider still has to give back
        /// a part of it or all.
        package static let refunding = Status(rawValue: "refunding")
        /// The provider has given back the last part of the amount.
        package static let refunded = Status(rawValue: "refunded")
        /// No purchase is made by it; the provider still has to release the
        /// amount, or to end the pending payment.
        package static let voiding = Status(rawValue: "voiding")
        /// The provider has released the amount, because the purchase couldn't
        /// be made or the authorisation came too late.
        package static let voided = Status(rawValue: "voided")

        /// The provider couldn't collect the amount after the purchase was
        /// made.
        package static let uncollected = Status(rawValue: "uncollected")

        /// Whether the payment led to no purchase, and never will.
        var endedWithoutPurchase: Bool { self == .declined || self == .voiding || self == .voided }
    }

    /// The number under which the provider records the payment: 16 random
    /// bytes in hexadecimal.
    package var number: PaymentIdentifier
    /// The request of a device, or the renewal that the payment is for.
    package var purpose: Purpose
    /// The account that gets the purchase. The payment changes under its lock.
    package var account: AccountIdentifier
    /// The account that pays. It is another one when a parent pays.
    package var payer: AccountIdentifier
    package var amount: Money
    /// The part of the amount that is refunded, disputed or couldn't be
    /// collected, in thousandths: never more than the amount.
    package var returned: Int64 = 0
    /// The country code of the storefront in whose currency the amount is.
    package var storefront: String
    package var status: Status
    /// The provider's part of a payment that is or was pending; `nil` for any
    /// other.
    package var pending: PendingAuthorisation?

    /// The method that is charged, as it was when the payment was recorded: a
    /// repeat after a crash charges the same one. `nil` for the provider's
    /// standard method.
    package var method: PaymentMethod.Charged?
    /// The account's time for which a renewal is paid; `nil` for every other
    /// payment.
    package var due: StoreTime?

    /// Whether it is completed after the process that confirmed it has ended, so
    /// that its payer is read again. It isn't stored.
    var isRecovered = false

    /// The part of the amount that can still be given back.
    package var left: Money { Money(milliunits: amount.milliunits - returned, currency: amount.currency) }
}

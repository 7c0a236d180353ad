// SPDX-License-Identifier: Apache-2.0

/// The identifier of an object of one type, so that the identifiers of two
/// types can't be confused. It is a text on the wire and in the database.
package struct TypedIdentifier<Subject>: RawRepresentable, Hashable, Sendable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes an identifier from a text of the wire, the command line or the
    /// database.
    package init(_ text: String) {
        rawValue = text
    }
}

extension TypedIdentifier: ExpressibleByStringInterpolation {
    /// Makes an identifier from a literal.
    package init(stringLiteral text: String) {
        rawValue = text
    }
}

extension TypedIdentifier: CustomStringConvertible {
    /// The text.
    package var description: String { rawValue }
}

extension TypedIdentifier: Comparable {
    /// The order of the texts, which is that of the database's indexes.
    package static func < (left: TypedIdentifier, right: TypedIdentifier) -> Bool { left.rawValue < right.rawValue }
}

/// 16 random bytes in hexadecimal.
package typealias AccountIdentifier = TypedIdentifier<Account>
/// 16 random bytes in hexadecimal.
package typealias FamilyIdentifier = TypedIdentifier<Family>
/// 16 bytes in lower-case hexadecimal. The form is checked where a message is
/// admitted, not in the domain.
package typealias DeviceIdentifier = TypedIdentifier<Device>
/// A device's identifier of its request, unique on the device.
package typealias RequestIdentifier = TypedIdentifier<DeviceRequest>
/// 19 decimal digits (``TransactionSerial``), which begin with 2 in the sandbox
/// and with 4 in production. Older versions made identifiers of 16 digits.
package typealias TransactionIdentifier = TypedIdentifier<Purchase>
/// The transaction identifier of the first purchase of a chain.
package typealias OriginalTransactionIdentifier = TypedIdentifier<OriginalPurchase>
/// The number under which a provider records a payment: 16 random bytes in
/// hexadecimal.
package typealias PaymentIdentifier = TypedIdentifier<Payment>
/// The number under which a provider records a refund: 16 random bytes in
/// hexadecimal.
package typealias RefundIdentifier = TypedIdentifier<PaymentRefund>
/// A payment method of an account: 16 random bytes in hexadecimal.
package typealias PaymentMethodIdentifier = TypedIdentifier<PaymentMethod>
/// The bundle identifier of an app.
package typealias BundleIdentifier = TypedIdentifier<App>
/// The seller's identifier of a product, unique in its app.
package typealias ProductIdentifier = TypedIdentifier<Product>
/// A published version of a product's content: 16 random bytes in hexadecimal.
package typealias ContentIdentifier = TypedIdentifier<HostedContent>
/// An upload of a content: 16 random bytes in hexadecimal.
package typealias UploadIdentifier = TypedIdentifier<ContentUpload>
/// The name of an object of the storage (``ContentUpload/object``).
package typealias ContentObjectName = TypedIdentifier<ContentObject>

/// A team of Connect: 8 random bytes in hexadecimal, or `Team.ofTheStore`.
package typealias TeamIdentifier = TypedIdentifier<Team>
/// A user of Connect: 16 random bytes in hexadecimal.
package typealias TeamUserIdentifier = TypedIdentifier<TeamUser>

/// The first purchase of a chain: of the same non-consumable bought again, or
/// of the renewals of a subscription.
package enum OriginalPurchase {}

extension OriginalTransactionIdentifier {
    /// The chain that begins with a purchase.
    package init(_ transaction: TransactionIdentifier) {
        self.init(transaction.rawValue)
    }
}

extension TransactionIdentifier {
    /// The first purchase of a chain.
    package init(_ original: OriginalTransactionIdentifier) {
        self.init(original.rawValue)
    }
}

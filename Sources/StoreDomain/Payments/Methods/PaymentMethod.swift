// SPDX-License-Identifier: Apache-2.0

/// A way to pay, which a customer has added to the account. The store has no
/// card numbers: the provider keeps them, and gives the store a reference.
package struct PaymentMethod: Hashable, Sendable {
    /// 16 random bytes in hexadecimal.
    package var identifier: PaymentMethodIdentifier
    /// Its kind, such as `card`.
    package var kind: String
    /// The name for the customer, such as the brand of a card.
    package var label: String
    /// The last four digits of its number; empty for a method without any.
    package var digits: String
    /// The provider's name of the method. Only the provider reads it.
    var reference: String
    /// When it expires, in the account's time; `nil` when that isn't known.
    package var expires: StoreTime?
    /// When the customer has added it.
    package var added: WallTime

    /// The most methods of an account.
    static let most = 10

    /// The part of a method that a payment is charged by.
    package struct Charged: Hashable, Sendable {
        package var identifier: PaymentMethodIdentifier
        /// The provider's name of the method.
        package var reference: String
    }

    /// The method by which an account's payments are charged, unless the
    /// customer chooses another one.
    package enum Preferred: Hashable, Sendable {
        /// The account never had a method: the provider has a standard one, as
        /// the sandbox has.
        case standard
        /// The customer has removed all methods. Nothing can be charged.
        case none
        case method(PaymentMethodIdentifier)
    }

    var charged: Charged { Charged(identifier: identifier, reference: reference) }

    /// The sheet stays open, and a request that waits keeps waiting.
    static let missing = DomainError(
        .declined,
        "The account has no payment method. Nothing was charged. Add one on the page /account/payment, and try again.")
    static let unknown = DomainError(.notFound, "The account has no such payment method.")
    /// The page has shown a method that was removed since, or one of another
    /// account.
    static let changed = DomainError(
        .priceChanged,
        "The account doesn't have this payment method any more: choose another one. Nothing was charged yet.")
}

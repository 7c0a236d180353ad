// SPDX-License-Identifier: Apache-2.0

/// A service that collects the money.
///
/// Every call names the payment's number, and repeating a call changes
/// nothing: a caller that lost an outcome can look it up and repeat the step.
package protocol PaymentProvider: Sendable {
    /// Authorises a payment: the provider sets the amount aside.
    ///
    /// - Throws: ``DomainError`` `providerUnavailable` when the outcome is unknown.
    func authorise(_ paymentNumber: PaymentIdentifier, amount: Money) async throws -> Authorisation

    /// The provider's answer to a payment; `nil` when it has no payment with
    /// that number.
    func lookUp(_ paymentNumber: PaymentIdentifier) async throws -> Authorisation?

    /// Collects an authorised amount.
    func capture(_ paymentNumber: PaymentIdentifier) async throws

    /// Gives back a captured amount, or releases an authorised one that isn't
    /// captured yet.
    func refund(_ paymentNumber: PaymentIdentifier) async throws

    /// Releases an authorised amount.
    func void(_ paymentNumber: PaymentIdentifier) async throws
}

/// A payment provider's answer.
package enum Authorisation: Hashable, Sendable {
    /// Authorised: the provider has set the amount aside.
    case authorised
    /// Declined, with a sentence for the customer.
    case declined(String)
}

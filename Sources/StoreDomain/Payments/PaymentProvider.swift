// SPDX-License-Identifier: Apache-2.0

/// Whoever collects the money. Every call names our payment's number, and
/// repeating a call changes nothing, so that an outcome that got lost can be
/// looked up and a step can be taken again.
package protocol PaymentProvider: Sendable {
    /// Sets the amount aside.
    ///
    /// - Throws: ``DomainError`` `providerUnavailable` when the outcome is unknown.
    func authorise(_ paymentNumber: String, amount: Money) async throws -> Authorisation

    /// What the provider knows of a payment; `nil` when it never heard of it.
    func lookUp(_ paymentNumber: String) async throws -> Authorisation?

    /// Collects the amount that was set aside.
    func capture(_ paymentNumber: String) async throws

    /// Gives back what was collected, or what was set aside when it wasn't
    /// collected yet.
    func refund(_ paymentNumber: String) async throws

    /// Gives back what was set aside.
    func void(_ paymentNumber: String) async throws
}

/// A payment provider's answer.
package enum Authorisation: Hashable, Sendable {
    case authorised
    /// The sentence is for the customer.
    case declined(String)
}

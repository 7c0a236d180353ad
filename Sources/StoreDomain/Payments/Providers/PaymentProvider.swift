// SPDX-License-Identifier: Apache-2.0

/// A service that collects the money.
///
/// Every call names the payment's number, and repeating a call changes
/// nothing: a caller that lost an outcome can look it up and repeat the step.
///
/// A provider of production keeps the customers' payment methods: its own page
/// asks for a card, and the store saves the reference that the provider returns
/// (``PaymentMethod``). The sandbox offers ``SandboxMethod``.
package protocol PaymentProvider: Sendable {
    /// Authorises a payment: the provider sets the amount aside. `method` is
    /// its own reference of the customer's payment method, which doesn't
    /// change when the call is repeated; `nil` for an account that never had
    /// one.
    ///
    /// - Throws: ``DomainError`` `providerUnavailable` when the outcome is unknown.
    func authorise(_ paymentNumber: PaymentIdentifier, amount: Money, method: String?) async throws -> Authorisation

    /// The provider's current answer to a payment; `nil` when it has no
    /// payment with that number. A voided payment is declined.
    func lookUp(_ paymentNumber: PaymentIdentifier) async throws -> Authorisation?

    /// Collects an authorised amount.
    func capture(_ paymentNumber: PaymentIdentifier) async throws

    /// Gives back a part of a captured amount, or all of it. Of an authorised
    /// amount that isn't captured yet the part is released, so that a capture
    /// collects the rest. All refunds of a payment together are never more
    /// than its amount. Each has an identifier, and is carried out once.
    func refund(_ refund: RefundIdentifier, of paymentNumber: PaymentIdentifier, amount: Money) async throws

    /// Takes back a refund that was carried out: the amount is collected again.
    /// A refund is taken back once. It isn't carried out again afterwards, also
    /// not by an earlier call that arrives late.
    func reverse(_ refund: RefundIdentifier, of paymentNumber: PaymentIdentifier, amount: Money) async throws

    /// Releases an authorised amount, or ends a pending payment, which can't
    /// be authorised afterwards. A declined payment stays declined.
    func void(_ paymentNumber: PaymentIdentifier) async throws

    /// The events that the provider has for the store, oldest first, at most
    /// a hundred. It returns them again until they are acknowledged. A
    /// provider that calls the store instead has none here.
    func events() async throws -> [ProviderEvent]

    /// Ends the delivery of events that the store has saved.
    func acknowledge(_ events: [ProviderEvent]) async throws
}

extension PaymentProvider {
    package func events() async throws -> [ProviderEvent] { [] }
    package func acknowledge(_ events: [ProviderEvent]) async throws {}
}

/// A payment provider's answer.
package enum Authorisation: Hashable, Sendable {
    /// Authorised: the provider has set the amount aside.
    case authorised
    /// Declined, with a sentence for the customer.
    case declined(String)
    /// The provider answers later, by an event or when it is asked again.
    case pending(PendingAuthorisation)
}

/// An authorisation that waits for the customer or for a bank.
package struct PendingAuthorisation: Hashable, Sendable {
    /// The page on which the customer has to act, such as a bank's page for
    /// 3-D Secure: an address, or a path of this store. `nil` when there is
    /// nothing to do but to wait.
    package var address: String?
    /// When the store stops waiting.
    package var expires: WallTime

    package init(address: String? = nil, expires: WallTime) {
        self.address = address
        self.expires = expires
    }
}

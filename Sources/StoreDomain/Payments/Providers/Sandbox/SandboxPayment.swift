// SPDX-License-Identifier: Apache-2.0

/// A payment in the books of the sandbox's provider.
package struct SandboxPayment: Hashable, Sendable {
    /// The state of a payment in these books.
    package struct Status: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The provider answers later.
        package static let pending = Status(rawValue: "pending")
        /// The amount is set aside for the store.
        package static let authorised = Status(rawValue: "authorised")
        /// The provider refused the payment.
        package static let declined = Status(rawValue: "declined")
        /// The amount was collected.
        package static let captured = Status(rawValue: "captured")
        /// The whole amount was given back.
        package static let refunded = Status(rawValue: "refunded")
        /// The amount was released before it was collected.
        package static let voided = Status(rawValue: "voided")
    }

    package var number: PaymentIdentifier
    package var amount: Money
    /// The part of the amount that was given back, in thousandths.
    var refunded: Int64 = 0
    package var status: Status
    /// The status after `answersAt`; `nil` when no later answer is planned.
    var outcome: Status?
    var answersAt: WallTime?
    /// When the store stops waiting for the answer.
    package var expires: WallTime?
    /// Whether the customer has to act on the sandbox's page.
    var hasAction = false

    /// Why it was declined; `nil` for ``declined``.
    var reason: String?

    /// The sentence for the customer of a declined payment.
    static let declined = "The card was declined."

    /// The path of the page on which the customer of a pending payment acts.
    package static let folder = "/sandbox/payments"

    static let unknown = DomainError(.notFound, "There is no such payment.")
    static let noSandbox = DomainError(.invalid, "Only the sandbox answers payments on demand.")

    /// Why the customer can't answer the payment any more; `nil` when that is
    /// possible.
    package func refusal(at now: WallTime) -> DomainError? {
        guard status == .pending else { return DomainError(.decided, "This payment is answered already.") }
        guard let expires, now >= expires else { return nil }
        return DomainError(.decided, "This payment was not confirmed in time.")
    }

    /// Applies the later answer, if its time has come.
    mutating func pass(to now: WallTime) {
        guard status == .pending, let outcome, let answersAt, answersAt <= now else { return }
        status = outcome
    }

    /// The answer to the store.
    var authorisation: Authorisation {
        switch status {
        case .pending:
            .pending(
                PendingAuthorisation(
                    address: hasAction ? "\(Self.folder)/\(number)" : nil,
                    expires: expires ?? WallTime(milliseconds: 0)))
        case .declined: .declined(reason ?? Self.declined)
        case .voided: .declined("The payment was cancelled.")
        default: .authorised
        }
    }
}

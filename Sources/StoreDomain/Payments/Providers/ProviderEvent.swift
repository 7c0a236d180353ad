// SPDX-License-Identifier: Apache-2.0

/// A message in which a payment provider reports a change of a payment.
///
/// A provider may send an event twice, late, or before an older one.
/// ``ReceivingProviderEvents`` saves each once.
package struct ProviderEvent: Hashable, Sendable {
    /// The change that an event reports.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer or the bank has to act. The store knows that from the
        /// answer to its own call, and ignores the event.
        package static let pending = Kind(rawValue: "pending")
        /// The amount is set aside.
        package static let authorised = Kind(rawValue: "authorised")
        /// The payment was declined.
        package static let declined = Kind(rawValue: "declined")
        /// The payer disputes the charge, and the payer's bank has taken back
        /// the rest of the amount.
        package static let disputed = Kind(rawValue: "disputed")
        /// The seller got the disputed amount again.
        package static let disputeWon = Kind(rawValue: "dispute won")
        /// The disputed amount stays with the payer.
        package static let disputeLost = Kind(rawValue: "dispute lost")
        /// The amount of an authorised payment couldn't be collected.
        package static let captureFailed = Kind(rawValue: "capture failed")
    }

    /// The provider's identifier of the event; a repeated event has the same.
    package var identifier: String
    package var payment: PaymentIdentifier
    package var kind: Kind
    /// A sentence for the customer about a declined payment.
    package var message: String?

    package init(identifier: String, payment: PaymentIdentifier, kind: Kind, message: String? = nil) {
        self.identifier = identifier
        self.payment = payment
        self.kind = kind
        self.message = message
    }

    /// The answer to the payment that the event reports; `nil` for an event
    /// that changes no payment.
    var authorisation: Authorisation? {
        switch kind {
        case .authorised: .authorised
        case .declined: .declined(message ?? "The payment was declined.")
        default: nil
        }
    }

    /// The kind of ledger entry of a reported reversal; `nil` for any other
    /// event.
    var reversal: LedgerEntry.Kind? {
        switch kind {
        case .disputed: .dispute
        case .disputeWon: .disputeWon
        case .disputeLost: .disputeLost
        case .captureFailed: .captureFailed
        default: nil
        }
    }

    /// Whether the event reports the end of a dispute.
    var endsDispute: Bool { kind == .disputeWon || kind == .disputeLost }

    /// How long the event of an unknown payment, or the end of an unknown
    /// dispute, waits for that payment or dispute.
    static let waitingLimit: Duration = .seconds(60 * 60)

    /// The result of handling an event, as it is recorded with the event.
    package struct Consequence: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The purchase was made.
        package static let purchased = Consequence(rawValue: "purchased")
        /// The payment was declined.
        package static let declined = Consequence(rawValue: "declined")
        /// The payment was authorised too late: the amount is released.
        package static let released = Consequence(rawValue: "released")
        /// The payment was declined after its purchase was made. The
        /// purchase stays, and an operator decides about it.
        package static let contradicted = Consequence(rawValue: "contradicted")
        /// The ledger has an entry of the dispute, its end, or the failed
        /// capture. The purchase stays, and an operator decides about it.
        package static let reversed = Consequence(rawValue: "reversed")
        /// The event reported a known state, or has an unknown kind.
        package static let ignored = Consequence(rawValue: "ignored")
        /// The store has no such payment.
        package static let unknownPayment = Consequence(rawValue: "unknown payment")

        /// Whether an operator has to look at the payment in the provider's
        /// books.
        package var needsOperator: Bool { self == .contradicted || self == .unknownPayment }
    }
}

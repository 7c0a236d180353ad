// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The decision about a payment that its provider has answered: in a call,
/// when it was asked again, or by an event. It is made from values alone, so
/// that answers that are late, repeated or out of order have one rule.
enum PaymentDecision: Hashable, Sendable {
    /// The purchase is made.
    case commit
    /// The payment is declined, with a sentence for the customer.
    case decline(String)
    /// The payment waits for the customer or the bank.
    case wait(PendingAuthorisation)
    /// The amount is released, because the payment has ended without a
    /// purchase.
    case release
    /// The provider declined a payment whose purchase is made. The purchase
    /// stays.
    case contradict
    /// The payment stays as it is.
    case nothing

    /// Decides about a payment with a status.
    static func settling(_ status: Payment.Status, by answer: Authorisation) -> PaymentDecision {
        let isOpen = status == .reserved || status == .pending
        switch answer {
        case .authorised where isOpen: return .commit
        case .authorised where status == .declined || status == .voided: return .release
        case .declined(let reason) where isOpen || status == .authorised: return .decline(reason)
        case .declined where status == .committed || status == .captured: return .contradict
        case .pending(let pending) where isOpen: return .wait(pending)
        default: return .nothing
        }
    }

    /// The result of an event that led to the decision.
    var outcome: ProviderEvent.Consequence {
        switch self {
        case .commit: .purchased
        case .decline: .declined
        case .release: .released
        case .contradict: .contradicted
        case .wait, .nothing: .ignored
        }
    }

    /// The name of its fault points; `nil` when nothing is saved.
    var step: String? {
        switch self {
        case .commit: "commit"
        case .decline: "decline"
        case .wait: "wait"
        case .release: "late"
        case .contradict, .nothing: nil
        }
    }
}

extension PurchaseFailure {
    /// The failure of a payment whose provider declined it, or that wasn't
    /// confirmed in time, after its sheet had ended.
    static func declined(_ reason: String) -> PurchaseFailure {
        PurchaseFailure(.unknown, reason)
    }

    /// The sentence for a payment that wasn't confirmed in time.
    static let unconfirmed = "The payment was not confirmed in time. Nothing was charged."
}

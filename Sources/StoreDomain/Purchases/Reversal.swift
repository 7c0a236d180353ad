// SPDX-License-Identifier: Apache-2.0

/// A change of a charge that its provider reports: a dispute of the payer, its
/// end, or a capture that failed.
///
/// It changes the ledger and the payment, and never the purchase: an operator
/// decides whether to refund it.
struct Reversal: Hashable, Sendable {
    var kind: LedgerEntry.Kind
    /// The amount of the ledger entry, in thousandths; negative when the payer
    /// gets it.
    var milliunits: Int64
    /// The payment's status afterwards.
    var status: Payment.Status

    /// Decides about a reported change of a payment with its ledger entries,
    /// oldest first; `nil` when it changes nothing, because it is known
    /// already or contradicts the entries.
    ///
    /// A dispute is about all that is left of the amount, and one dispute is
    /// open at a time.
    init?(_ kind: LedgerEntry.Kind, of payment: Payment, after entries: [LedgerEntry]) {
        // Each end belongs to the dispute before it.
        let ends = entries.count { $0.kind == .disputeWon || $0.kind == .disputeLost }
        let open = entries.filter { $0.kind == .dispute }.dropFirst(ends).last
        let left = payment.left.milliunits
        self.init(kind: kind, milliunits: 0, status: payment.status)
        switch kind {
        case .dispute where open == nil && left > 0:
            milliunits = -left
        case .disputeWon:
            guard let open else { return nil }
            milliunits = -open.amount.milliunits
        case .disputeLost where open != nil:
            break
        case .captureFailed where left > 0 && (payment.status == .committed || payment.status == .captured):
            milliunits = -left
            status = .uncollected
        default:
            return nil
        }
    }

    private init(kind: LedgerEntry.Kind, milliunits: Int64, status: Payment.Status) {
        self.kind = kind
        self.milliunits = milliunits
        self.status = status
    }
}

extension LedgerEntry {
    /// The entry of a reversal of a charge.
    init(_ reversal: Reversal, of charge: LedgerEntry, identifier: String, at time: StoreTime) {
        self.init(
            identifier: identifier, kind: reversal.kind, account: charge.account,
            transactionIdentifier: charge.transactionIdentifier, paymentNumber: charge.paymentNumber,
            amount: Money(milliunits: reversal.milliunits, currency: charge.amount.currency), at: time)
    }
}

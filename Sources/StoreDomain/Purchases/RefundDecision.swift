// SPDX-License-Identifier: Apache-2.0

/// The decision about the refund of a purchase, made from the purchases of its
/// chain alone. ``RefundingPurchase`` loads them and carries it out.
enum RefundDecision: Hashable, Sendable {
    /// It was refunded before.
    case alreadyRefunded(Purchase)
    case refund(Refund)

    /// The purchase whose price is given back, and all purchases that are
    /// revoked with it.
    struct Refund: Hashable, Sendable {
        var charged: Purchase
        var revoked: [Purchase]
    }

    /// Decides about a chain: a non-consumable that was bought again for
    /// nothing belongs to its first purchase.
    ///
    /// - Throws: ``DomainError`` `notFound` when the chain has no first
    ///   purchase.
    static func refunding(_ original: OriginalTransactionIdentifier, in chain: [Purchase]) throws -> RefundDecision {
        guard let first = chain.first(where: \.isOriginal) else {
            throw DomainError(.notFound, "There is no purchase with the number \(original).")
        }
        guard first.revoked == nil else { return .alreadyRefunded(first) }
        return .refund(Refund(charged: first, revoked: chain))
    }
}

extension LedgerEntry {
    /// The refund of a purchase's whole price.
    init(refunding purchase: Purchase, paidBy payment: Payment?, identifier: String, at time: StoreTime) {
        self.init(
            identifier: identifier, kind: .refund, account: purchase.account,
            transactionIdentifier: purchase.transactionIdentifier, paymentNumber: payment?.number,
            amount: Money(milliunits: -purchase.price.milliunits, currency: purchase.price.currency), at: time)
    }
}

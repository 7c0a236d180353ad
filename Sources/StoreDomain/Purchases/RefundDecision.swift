// SPDX-License-Identifier: Apache-2.0

/// The decision about the refund of a purchase, made from the purchases of its
/// chain alone. ``RefundingPurchase`` loads them and carries it out.
enum RefundDecision: Hashable, Sendable {
    /// It was refunded before.
    case alreadyRefunded(Purchase)
    case refund(Refund)

    /// The purchase whose price is given back, and the purchases that are
    /// revoked.
    struct Refund: Hashable, Sendable {
        var charged: Purchase
        var revoked: [Purchase]
    }

    /// Decides about a purchase of a chain.
    ///
    /// A non-consumable that was bought again for nothing belongs to its first
    /// purchase: a refund of any of them gives back the price of the first one
    /// and revokes all of them. Of any other chain, such as the renewals of a
    /// subscription, only the purchase itself is refunded and revoked.
    ///
    /// - Throws: ``DomainError`` `notFound` when the chain doesn't contain it.
    static func refunding(_ transaction: TransactionIdentifier, in chain: [Purchase]) throws -> RefundDecision {
        guard let named = chain.first(where: { $0.transactionIdentifier == transaction }),
            let charged = named.kind.isOwnedOnce ? chain.first(where: \.isOriginal) : named
        else {
            throw DomainError(.notFound, "There is no purchase with the number \(transaction).")
        }
        guard charged.revoked == nil else { return .alreadyRefunded(charged) }
        return .refund(Refund(charged: charged, revoked: named.kind.isOwnedOnce ? chain : [named]))
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

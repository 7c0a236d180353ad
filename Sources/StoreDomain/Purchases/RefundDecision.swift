// SPDX-License-Identifier: Apache-2.0

/// The decision about the refund of a purchase, made from the purchases of its
/// chain and from its payment. ``RefundingPurchase`` loads them and carries it
/// out.
enum RefundDecision: Hashable, Sendable {
    /// It was refunded before, and nothing of its price is left.
    case alreadyRefunded(Purchase)
    case refund(Refund)

    /// The purchase whose price is given back, the amount, and the purchases
    /// that are revoked.
    struct Refund: Hashable, Sendable {
        var charged: Purchase
        /// Zero for a purchase that cost nothing.
        var amount: Money
        /// Empty when a part of the price is left.
        var revoked: [Purchase]
    }

    /// The purchase of a chain whose price is given back.
    ///
    /// A non-consumable that was bought again for nothing belongs to its first
    /// purchase. Of any other chain, such as the renewals of a subscription,
    /// it is the named purchase itself.
    ///
    /// - Throws: ``DomainError`` `notFound` when the chain doesn't contain it.
    static func charged(for transaction: TransactionIdentifier, in chain: [Purchase]) throws -> Purchase {
        guard let named = chain.first(where: { $0.transactionIdentifier == transaction }),
            let charged = named.kind.isOwnedOnce ? chain.first(where: \.isOriginal) : named
        else {
            throw DomainError(.notFound, "There is no purchase with the number \(transaction).")
        }
        return charged
    }

    /// Decides about a purchase of a chain, of whose price the amount `left`
    /// isn't given back yet.
    ///
    /// `wanted` is the part to give back, in thousandths; `nil` for all that
    /// is left. A purchase is revoked when nothing of its price is left, and a
    /// non-consumable with all purchases of its chain. A refund that leaves a
    /// part changes no purchase: the customer keeps the product.
    ///
    /// Something may be left of the price of a revoked purchase: the amount of
    /// a dispute that was won after the revocation. It is given back like any
    /// rest.
    ///
    /// - Throws: ``DomainError``: `invalid` for a part that isn't above zero and
    ///   for a purchase from another member of the family,
    ///   `refundTooLarge` for more than is left.
    static func refunding(
        _ charged: Purchase, in chain: [Purchase], wanted: Int64?, left: Money
    ) throws -> RefundDecision {
        guard charged.share == nil else {
            throw DomainError(
                .invalid, "\(charged.transactionIdentifier) is shared by a family: refund the purchase that it is from."
            )
        }
        if wanted == nil, charged.revoked != nil, left.milliunits == 0 { return .alreadyRefunded(charged) }
        let amount = Money(milliunits: wanted ?? left.milliunits, currency: left.currency)
        guard wanted == nil || amount.milliunits > 0 else {
            throw DomainError(.invalid, "The amount of a refund is more than 0.")
        }
        guard amount.milliunits <= left.milliunits else { throw tooLarge(charged, left: left) }
        let isWhole = amount == left
        let revoked = charged.kind.isOwnedOnce ? chain : [charged]
        return .refund(
            Refund(charged: charged, amount: amount, revoked: isWhole ? revoked.filter { $0.revoked == nil } : []))
    }

    /// Whether a saved ledger entry is the refund of a purchase that is asked
    /// for again, of a part in thousandths or of the rest.
    ///
    /// The entry doesn't say whether a part or the rest was asked for. A part
    /// that was all that was left has had the same consequence as the rest. A
    /// purchase whose refund was taken back isn't revoked any more.
    static func isRefund(
        _ entry: LedgerEntry, of charged: Purchase, wanted: Int64?, isReversed: Bool = false
    ) -> Bool {
        guard entry.kind == .refund, entry.transactionIdentifier == charged.transactionIdentifier else { return false }
        return wanted.map { $0 == -entry.amount.milliunits } ?? (charged.revoked != nil || isReversed)
    }

    /// The refusal of a refund of more than is left.
    static func tooLarge(_ charged: Purchase, left: Money) -> DomainError {
        DomainError(
            .refundTooLarge,
            """
            Of the purchase \(charged.transactionIdentifier) only \(left.decimal) \(left.currency) can be given back. \
            Nothing was changed.
            """)
    }
}

extension LedgerEntry {
    /// The refund of a purchase's price, or of a part of it.
    init(_ refund: RefundDecision.Refund, paidBy payment: Payment?, identifier: String, at time: StoreTime) {
        let purchase = refund.charged
        self.init(
            identifier: identifier, kind: .refund, account: payment?.payer ?? purchase.account,
            transactionIdentifier: purchase.transactionIdentifier, paymentNumber: payment?.number,
            amount: Money(milliunits: -refund.amount.milliunits, currency: refund.amount.currency), at: time)
    }
}

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
        /// The purchases that the refund revokes.
        var revoked: [Purchase]
        /// The purchases that an earlier refund has revoked, and of which a
        /// larger part is refunded now.
        var enlarged: [Purchase] = []
        /// The part of the price that is refunded afterwards, in thousandths of
        /// a percent; `nil` for the whole price.
        var part: Int64?
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
    /// isn't given back yet, and the amount `paid` was charged.
    ///
    /// `wanted` is the part to give back, in thousandths; `nil` for all that
    /// is left. The purchase is revoked, also when a part of its price is left
    /// (Apple's `REFUND_PRORATED`), and a non-consumable with all purchases of
    /// its chain.
    ///
    /// Something may be left of the price of a revoked purchase: the amount of
    /// a dispute that was won after the revocation. It is given back like any
    /// rest.
    ///
    /// - Throws: ``DomainError``: `invalid` for a part that isn't above zero and
    ///   for a purchase from another member of the family,
    ///   `refundTooLarge` for more than is left.
    static func refunding(
        _ charged: Purchase, in chain: [Purchase], wanted: Int64?, left: Money, paid: Int64
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
        // A period that was paid before amounts were rounded can have another price, and is refunded whole.
        guard amount == left || amount.isWhole else {
            throw DomainError(
                .invalid, "\(amount.decimal) is no amount of \(amount.currency), which has fewer decimals.")
        }
        let part = part(givenBack: paid - left.milliunits + amount.milliunits, of: paid)
        let all = charged.kind.isOwnedOnce ? chain : [charged]
        return .refund(
            Refund(
                charged: charged, amount: amount, revoked: all.filter { $0.revoked == nil },
                enlarged: all.filter { $0.revoked != nil && $0.revokedPart != nil && $0.revokedPart != part },
                part: part))
    }

    /// The part of a price that is given back, in thousandths of a percent,
    /// rounded to the nearest one; `nil` for all of it.
    static func part(givenBack amount: Int64, of paid: Int64) -> Int64? {
        guard amount < paid else { return nil }
        return Int64((Int128(amount) * 200_000 + Int128(paid)) / (2 * Int128(paid)))
    }

    /// Whether a saved ledger entry is the refund of a purchase that is asked
    /// for again, of a part in thousandths or of the rest.
    ///
    /// The entry doesn't say whether a part or the rest was asked for. A part
    /// that was all that was left has had the same consequence as the rest:
    /// nothing of the price is left. A purchase whose refund was taken back
    /// isn't revoked any more.
    static func isRefund(
        _ entry: LedgerEntry, of charged: Purchase, wanted: Int64?, isReversed: Bool = false
    ) -> Bool {
        guard entry.kind == .refund, entry.transactionIdentifier == charged.transactionIdentifier else { return false }
        let isWhole = charged.revoked != nil && charged.revokedPart == nil
        return wanted.map { $0 == -entry.amount.milliunits } ?? (isWhole || isReversed)
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

// SPDX-License-Identifier: Apache-2.0

/// The decision about taking back the refund of a purchase, made from the
/// purchases of its chain, its payment's refunds and the purchases that were
/// made since. ``ReversingRefund`` loads them and carries it out.
enum RefundReversalDecision: Hashable, Sendable {
    /// It was taken back before.
    case alreadyReversed(Purchase)
    case reverse(Order)

    /// The purchase whose refund is taken back, and the changes that this causes.
    struct Order: Hashable, Sendable {
        var charged: Purchase
        /// The purchases that the refund has revoked.
        var reinstated: [Purchase]
        /// The refunds that were asked for. The part of an upgraded period's
        /// price isn't among them: the upgrade stays.
        var refunds: [PaymentRefund]

        /// The amount that is the store's again, in thousandths.
        var milliunits: Int64 { refunds.reduce(0) { $0 + $1.amount.milliunits } }
    }

    /// The purchase that prevents the reversal, because both would be valid at
    /// a time.
    enum Obstacle: Hashable, Sendable {
        /// A purchase of the same product or subscription is being paid.
        case purchaseUnderWay
        /// The customer has bought the product again.
        case boughtAgain(TransactionIdentifier)
        /// The customer has subscribed again before the refunded period's end.
        case subscribedAgain(TransactionIdentifier, refundedUntil: StoreTime)
    }

    /// Decides about a purchase of a chain.
    ///
    /// All refunds that were asked for are taken back together, so that the
    /// customer has paid the purchase as before.
    ///
    /// - Throws: ``DomainError``: `invalid` for a purchase that isn't revoked
    ///   by a refund, `underWay` while the provider gives the money back or
    ///   another purchase is paid, `decided` for an ``Obstacle``.
    static func reversing(
        _ charged: Purchase, in chain: [Purchase], refunds: [PaymentRefund], wasReversed: Bool, obstacle: Obstacle?
    ) throws -> RefundReversalDecision {
        let number = charged.transactionIdentifier
        guard charged.share == nil else {
            throw DomainError(.invalid, "\(number) is shared by a family: name the purchase that it is from.")
        }
        guard charged.revoked != nil else {
            if wasReversed { return .alreadyReversed(charged) }
            throw DomainError(.invalid, "\(number) isn't refunded.")
        }
        guard !refunds.contains(where: { $0.status == .due || $0.status == .reversing }) else {
            throw DomainError(
                .underWay, "The payment provider hasn't given back the money of \(number) yet: try again in a moment.")
        }
        if let obstacle { throw obstacle.refusal(of: charged) }
        let revoked = charged.kind.isOwnedOnce ? chain.filter { $0.revoked != nil } : [charged]
        return .reverse(
            Order(
                charged: charged, reinstated: revoked,
                refunds: refunds.filter { $0.reason == .requested && $0.status == .done }))
    }
}

extension RefundReversalDecision.Obstacle {
    fileprivate func refusal(of charged: Purchase) -> DomainError {
        let (number, product) = (charged.transactionIdentifier, charged.productIdentifier)
        switch self {
        case .purchaseUnderWay:
            return DomainError(.underWay, "A purchase of \(product) is under way: try again when it is complete.")
        case .boughtAgain(let other):
            return DomainError(
                .decided,
                """
                The customer has bought \(product) again as \(other). Of one product only one purchase is valid: \
                refund \(other) first. Nothing was changed.
                """)
        case .subscribedAgain(let other, let end):
            return DomainError(
                .decided,
                """
                The customer has subscribed again with \(other), and the refunded period of \(number) lasts until \
                \(end.iso8601). Only one period is valid at a time: take the refund back after that. Nothing was changed.
                """)
        }
    }
}

extension LedgerEntry {
    /// The amount of refunds that are taken back.
    init(
        _ order: RefundReversalDecision.Order, paidBy payment: Payment?, identifier: String, at time: StoreTime
    ) {
        let purchase = order.charged
        self.init(
            identifier: identifier, kind: .refundReversed, account: payment?.payer ?? purchase.account,
            transactionIdentifier: purchase.transactionIdentifier, paymentNumber: payment?.number,
            amount: Money(milliunits: order.milliunits, currency: purchase.price.currency), at: time)
    }
}

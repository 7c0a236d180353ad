// SPDX-License-Identifier: Apache-2.0

extension RefundRequest {
    /// Orders the notification that a customer asks for a refund, or that it
    /// was declined.
    func notify(_ kind: NotificationKind, about purchase: Purchase, _ db: StoreTransaction) throws {
        let moment = try AccountClock.of(account, db).time(at: db.now)
        var cause = NotificationCause(kind, of: purchase, at: moment)
        cause.subject = identifier.rawValue
        // After the end of the renewal. The store's people decide after the customer has asked.
        let subscription =
            purchase.term == nil ? nil : try Subscription.find(purchase.originalTransactionIdentifier, of: account, db)
        cause.place = (subscription?.count ?? 0) + (kind == .consumptionRequest ? 1 : 2)
        if kind == .consumptionRequest { cause.details.consumptionReason = consumptionReason }
        try cause.insert(db)
    }

    /// `consumptionRequestReason` of the notification.
    private var consumptionReason: String {
        switch reason {
        case .unintended, .child: "UNINTENDED_PURCHASE"
        case .missing, .broken: "FULFILLMENT_ISSUE"
        case .unsatisfied: "UNSATISFIED_WITH_PURCHASE"
        case .legal: "LEGAL"
        case .other: "OTHER"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Asks for the unfinished queue of this device for one app. The queue is
/// authoritative; events are only hints that it has changed.
package struct QueueCall: AppCall, Hashable {
    package static let path = StorePath.queue

    @Limited<Identifier> package var bundleIdentifier: String
    /// The last event that the device has journalled. The answer has the
    /// purchases that were revoked after it.
    package var position: EventPosition?
    /// Whether the device takes a long queue in pages; `nil` from a device of
    /// an older version, which gets the whole queue in one answer.
    package var takesPages: Bool?
    /// The page after this one, which is `next` of the page before; `nil` for
    /// the first page.
    package var after: EventPosition?
    /// The position of the first page, for a later one: it has no newer
    /// transactions, because events bring those.
    package var until: EventPosition?

    package init(
        bundleIdentifier: String, position: EventPosition? = nil, takesPages: Bool? = nil, after: EventPosition? = nil,
        until: EventPosition? = nil
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.position = position
        self.takesPages = takesPages
        self.after = after
        self.until = until
    }

    package typealias Answer = QueueSnapshot
}

/// The unfinished transactions of one app on one device, at one moment.
package struct QueueSnapshot: Codable, Sendable, Hashable {
    /// The last event of the account at that moment; `nil` when the device is
    /// signed out.
    package var position: EventPosition?
    /// The unfinished transactions of the account that is signed in, in the
    /// order of their events.
    package var transactions: [TransactionInfo]
    /// The storefront of the account.
    package var storefront: StorefrontInfo?
    /// The difference between the account's time and the store's, in
    /// milliseconds; `nil` when there is none.
    @Limited<ClockOffset> package var clockOffset: Int64?
    /// The purchases that were revoked after the position in the request;
    /// `nil` when there are none, or the position is missing or of another
    /// account.
    package var revoked: [RevokedInfo]?
    /// The purchases whose refunds were taken back after that position; `nil`
    /// when there are none.
    package var reinstated: [RevokedInfo]?
    /// The last event of this page, if another page follows; `nil` after the
    /// last page. The snapshot is complete only with all pages.
    package var next: EventPosition?

    package init(
        position: EventPosition?, transactions: [TransactionInfo], storefront: StorefrontInfo? = nil,
        clockOffset: Int64? = nil, revoked: [RevokedInfo]? = nil, reinstated: [RevokedInfo]? = nil,
        next: EventPosition? = nil
    ) {
        self.position = position
        self.transactions = transactions
        self.storefront = storefront
        self.clockOffset = clockOffset
        self.revoked = revoked
        self.reinstated = reinstated
        self.next = next
    }
}

/// A transaction, or all transactions of an original, that a refund has
/// revoked.
package struct RevokedInfo: Codable, Sendable, Hashable {
    /// The transaction that is revoked; `nil` when all transactions of the
    /// original are, as those of a non-consumable.
    package var transactionIdentifier: String?
    package var originalTransactionIdentifier: String
    package var productIdentifier: String
    /// Whether the app is notified that the customer has lost the product:
    /// false for consumables and non-renewing subscriptions, and for all but
    /// the first transaction of a non-consumable, so that one refund causes
    /// one notification.
    package var isEntitlement: Bool

    package init(
        transactionIdentifier: String? = nil, originalTransactionIdentifier: String, productIdentifier: String,
        isEntitlement: Bool
    ) {
        self.transactionIdentifier = transactionIdentifier
        self.originalTransactionIdentifier = originalTransactionIdentifier
        self.productIdentifier = productIdentifier
        self.isEntitlement = isEntitlement
    }
}

extension [RevokedInfo] {
    /// A test for the transactions of a queue that these refunds revoke: a
    /// named transaction, one that restores it or the same period of a
    /// subscription, or, if no transaction is named, one of the same original.
    package var revokes: (TransactionInfo) -> Bool {
        let transactions = Set(compactMap(\.transactionIdentifier))
        let originals = Set(filter { $0.transactionIdentifier == nil }.map(\.originalTransactionIdentifier))
        return { transaction in
            transactions.contains(transaction.transactionIdentifier)
                || transaction.restores.map { transactions.contains($0.period ?? $0.transactionIdentifier) } ?? false
                || originals.contains(transaction.originalTransactionIdentifier)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension DatedEvent {
    /// The events of a subscription after a number, oldest first.
    static func after(
        _ number: Int64, of subscription: Subscription, limit: Int, _ db: StoreTransaction
    ) throws -> [DatedEvent] {
        var period = try runningPeriod(at: number, of: subscription, db)
        return try db.rows(
            """
            SELECT number, kind, at, details FROM subscription_event
            WHERE environment = $1 AND original_transaction_id = $2 AND bucket = $3 AND number > $4
            ORDER BY number LIMIT $5
            """,
            [db.environment.rawValue, subscription.original, subscription.account.bucket, number, limit]
        ).compactMap { row in
            let event = try SubscriptionEvent(row)
            period = event.period ?? period
            // A history begins with a period.
            guard let period else { return nil }
            return DatedEvent(
                bundleIdentifier: subscription.bundleIdentifier, original: subscription.original,
                number: try row.get("number"), event: event,
                product: try product(of: event, during: period, of: subscription, db),
                transaction: event.transaction ?? period.transaction)
        }
    }

    /// The period that has begun last, as of the event with a number.
    private static func runningPeriod(
        at number: Int64, of subscription: Subscription, _ db: StoreTransaction
    ) throws -> SubscribedPeriod? {
        try db.row(
            """
            SELECT kind, at, details FROM subscription_event
            WHERE environment = $1 AND original_transaction_id = $2 AND bucket = $3 AND number <= $4
                AND kind IN ('subscribed', 'renewed', 'recovered', 'upgraded')
            ORDER BY number DESC LIMIT 1
            """,
            [db.environment.rawValue, subscription.original, subscription.account.bucket, number]
        ).map(SubscriptionEvent.init)?.period
    }

    private static func product(
        of event: SubscriptionEvent, during period: SubscribedPeriod, of subscription: Subscription,
        _ db: StoreTransaction
    ) throws -> ProductIdentifier {
        if let product = event.product { return product }
        guard let transaction = event.transaction, transaction != period.transaction else { return period.product }
        // A period before the running one was refunded.
        return try Purchase.find(transaction, of: subscription.account, db)?.productIdentifier ?? period.product
    }
}

extension SubscriptionEvent {
    /// Makes an event of its row.
    ///
    /// - Throws: The errors of ``init(kind:at:details:)``.
    init(_ row: Row) throws {
        try self.init(
            kind: try row.get("kind"), at: StoreTime(milliseconds: try row.get("at")), details: try row.get("details"))
    }
}

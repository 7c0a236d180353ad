// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension AccountEvent {
    /// Saves a new event, dated now or at the moment at which it was due. The
    /// account's row stays locked until the transaction ends.
    static func append(
        _ kind: Kind, account: AccountIdentifier, bundleIdentifier: BundleIdentifier,
        transactionIdentifier: TransactionIdentifier, at moment: StoreTime? = nil, changesReceipt: Bool = true,
        _ db: StoreTransaction
    ) throws -> AccountEvent {
        let row = try db.row(
            """
            UPDATE account SET event_number = event_number + 1
            WHERE environment = $1 AND account_id = $2 AND bucket = $3
            RETURNING event_number, clock_offset, renewal_speed
            """, [db.environment.rawValue, account, account.bucket])
        guard let row else { throw DomainError(.notFound, "There is no such account.") }
        let number: Int64 = try row.get("event_number")
        let time = try moment ?? AccountClock(row).time(at: db.now)
        try db.run(
            """
            INSERT INTO event (environment, account_id, event_number, kind, bundle_id, transaction_id, at,
                changes_receipt, created_at, bucket)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [
                db.environment.rawValue, account, number, kind.rawValue, bundleIdentifier, transactionIdentifier,
                time.milliseconds, changesReceipt, db.now.milliseconds, account.bucket,
            ])
        db.announcements.note(.account(account), number)
        return AccountEvent(
            account: account, number: number, kind: kind, bundleIdentifier: bundleIdentifier,
            transactionIdentifier: transactionIdentifier, time: time, changesReceipt: changesReceipt)
    }

    /// The purchases of an app that were revoked after an event and still are,
    /// oldest first.
    static func revoked(
        after position: Position, bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [Purchase] {
        try purchases(of: .revoked, after: position, bundleIdentifier, db).filter { $0.revoked != nil }
    }

    /// The purchases of an app whose refunds were taken back after an event,
    /// oldest first, and that aren't revoked again.
    static func reinstated(
        after position: Position, bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [Purchase] {
        try purchases(of: .reinstated, after: position, bundleIdentifier, db).filter { $0.revoked == nil }
    }

    /// The kind stands in the text, so that the engine uses the index of its
    /// events.
    private static func purchases(
        of kind: Kind, after position: Position, _ bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [Purchase] {
        try db.rows(
            """
            SELECT \(Purchase.columns)
            FROM event JOIN purchase
                ON purchase.environment = event.environment AND purchase.transaction_id = event.transaction_id
                AND purchase.bucket = event.bucket
            WHERE event.environment = $1 AND event.account_id = $2 AND event.bundle_id = $3 AND event.bucket = $5
                AND event.event_number > $4 AND event.kind = '\(kind.rawValue)'
            ORDER BY event.event_number
            """,
            [
                db.environment.rawValue, position.account, bundleIdentifier, position.number, position.account.bucket,
            ]
        ).map(Purchase.init)
    }

    /// An event, with the rows from which one device's and app's message is made.
    struct Delivery: Sendable {
        var event: AccountEvent
        /// The transaction of the event, if it is unfinished on the device.
        var unfinished: UnfinishedTransaction?
        /// The purchase that the event revoked or reinstated, or that `unfinished` has.
        var purchase: Purchase?
    }

    /// The events of an account after a number, in order. Those of another
    /// app have neither a transaction nor a purchase.
    static func deliveries(
        after position: Position, to device: DeviceIdentifier, bundleIdentifier: BundleIdentifier, limit: Int,
        _ db: StoreTransaction
    ) throws -> [Delivery] {
        try db.rows(
            """
            SELECT event.event_number AS number, event.kind AS event_kind, event.bundle_id AS event_bundle_id,
                event.transaction_id AS event_transaction_id, event.at, event.changes_receipt,
                \(UnfinishedTransaction.columns)
            FROM event
            LEFT JOIN purchase
                ON purchase.environment = event.environment AND purchase.transaction_id = event.transaction_id
                AND purchase.bucket = event.bucket
                AND event.bundle_id = $4 AND event.kind IN ('transaction', 'handed-over', 'revoked', 'reinstated')
            LEFT JOIN queue_entry
                ON queue_entry.environment = event.environment AND queue_entry.device_id = $5
                AND queue_entry.transaction_id = event.transaction_id AND queue_entry.bucket = event.bucket
                AND event.bundle_id = $4 AND event.kind IN ('transaction', 'handed-over')
            \(HostedContent.Summary.join)
            WHERE event.environment = $1 AND event.account_id = $2 AND event.event_number > $3 AND event.bucket = $7
            ORDER BY event.event_number LIMIT $6
            """,
            [
                db.environment.rawValue, position.account, position.number, bundleIdentifier, device, limit,
                position.account.bucket,
            ]
        ).map { try Delivery($0, of: position.account) }
    }
}

extension AccountEvent.Delivery {
    fileprivate init(_ row: Row, of account: AccountIdentifier) throws {
        let event = AccountEvent(
            account: account, number: try row.get("number"),
            kind: AccountEvent.Kind(rawValue: try row.get("event_kind")),
            bundleIdentifier: try row.get("event_bundle_id"),
            transactionIdentifier: try row.get("event_transaction_id"),
            time: StoreTime(milliseconds: try row.get("at")), changesReceipt: try row.get("changes_receipt"))
        let bought: TransactionIdentifier? = try row.get("transaction_id")
        let deliveredBy: Int64? = try row.get("delivered_by")
        self.init(
            event: event, unfinished: bought == nil || deliveredBy == nil ? nil : try UnfinishedTransaction(row),
            purchase: bought == nil ? nil : try Purchase(row))
    }
}

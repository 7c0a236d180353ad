// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension AccountEvent {
    /// Saves a new event. The account's row stays locked until the transaction
    /// ends.
    static func append(
        _ kind: Kind, account: AccountIdentifier, bundleIdentifier: BundleIdentifier,
        transactionIdentifier: TransactionIdentifier, changesReceipt: Bool = true, _ db: StoreTransaction
    ) throws -> AccountEvent {
        let row = try db.row(
            """
            UPDATE account SET event_number = event_number + 1 WHERE environment = $1 AND account_id = $2
            RETURNING event_number
            """, [db.environment.rawValue, account])
        guard let number: Int64 = try row?.get("event_number") else {
            throw DomainError(.notFound, "There is no such account.")
        }
        let time = Account.time(at: db.now)
        try db.run(
            """
            INSERT INTO event (environment, account_id, event_number, kind, bundle_id, transaction_id, at,
                changes_receipt, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                db.environment.rawValue, account, number, kind.rawValue, bundleIdentifier, transactionIdentifier,
                time.milliseconds, changesReceipt, db.now.milliseconds,
            ])
        db.announcements.note(.account(account), number)
        return AccountEvent(
            account: account, number: number, kind: kind, bundleIdentifier: bundleIdentifier,
            transactionIdentifier: transactionIdentifier, time: time, changesReceipt: changesReceipt)
    }

    /// The purchases of an app that were revoked after an event, oldest
    /// first.
    static func revoked(
        after position: Position, bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [Purchase] {
        try db.rows(
            """
            SELECT transaction_id FROM event
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND event_number > $4 AND kind = 'revoked'
            ORDER BY event_number
            """, [db.environment.rawValue, position.account, bundleIdentifier, position.number]
        ).compactMap { try Purchase.find(try $0.get("transaction_id"), db) }
    }

    /// The events of an account after a number, in order.
    static func after(_ position: Position, limit: Int, _ db: StoreTransaction) throws -> [AccountEvent] {
        try db.rows(
            """
            SELECT event_number, kind, bundle_id, transaction_id, at, changes_receipt FROM event
            WHERE environment = $1 AND account_id = $2 AND event_number > $3
            ORDER BY event_number LIMIT $4
            """, [db.environment.rawValue, position.account, position.number, limit]
        ).map { row in
            AccountEvent(
                account: position.account, number: try row.get("event_number"),
                kind: Kind(rawValue: try row.get("kind")),
                bundleIdentifier: try row.get("bundle_id"), transactionIdentifier: try row.get("transaction_id"),
                time: StoreTime(milliseconds: try row.get("at")), changesReceipt: try row.get("changes_receipt"))
        }
    }
}

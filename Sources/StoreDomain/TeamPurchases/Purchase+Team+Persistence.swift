// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Purchase {
    /// The purchases of an app before a place, newest first.
    static func newest(
        in app: BundleIdentifier, before place: Position?, limit: Int, _ db: StoreTransaction
    ) throws -> [Purchase] {
        try db.rows(
            """
            SELECT \(columns) FROM purchase
            WHERE environment = $1 AND bundle_id = $2 AND (purchased_at, transaction_id) < ($3, $4)
            ORDER BY purchased_at DESC, transaction_id DESC LIMIT $5
            """,
            [
                db.environment.rawValue, app, place?.date.milliseconds ?? Int64.max,
                place?.transactionIdentifier ?? "", limit,
            ]
        ).map(Purchase.init)
    }

    /// Some purchases with an original transaction, of any account.
    static func of(
        original: OriginalTransactionIdentifier, limit: Int, _ db: StoreTransaction
    ) throws -> [Purchase] {
        try db.rows(
            """
            SELECT \(columns) FROM purchase WHERE environment = $1 AND original_transaction_id = $2 LIMIT $3
            """, [db.environment.rawValue, original, limit]
        ).map(Purchase.init)
    }

    /// The newest purchases whose payment has a user name.
    static func of(user name: String, limit: Int, _ db: StoreTransaction) throws -> [Purchase] {
        try db.rows(
            """
            SELECT \(columns) FROM purchase WHERE environment = $1 AND username = $2
            ORDER BY purchased_at DESC, transaction_id DESC LIMIT $3
            """, [db.environment.rawValue, name, limit]
        ).map(Purchase.init)
    }

    /// Some purchases that a device has asked for.
    static func of(device: DeviceIdentifier, limit: Int, _ db: StoreTransaction) throws -> [Purchase] {
        try db.rows(
            "SELECT \(columns) FROM purchase WHERE environment = $1 AND device_id = $2 LIMIT $3",
            [db.environment.rawValue, device, limit]
        ).map(Purchase.init)
    }

    /// Whether a device hasn't finished the transaction.
    func isUnfinished(_ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM queue_entry WHERE environment = $1 AND transaction_id = $2 AND bucket = $3 LIMIT 1
            """, [db.environment.rawValue, transactionIdentifier, account.bucket]) != nil
    }
}

extension AccountToken {
    /// The original transactions for which a seller's server has set a token.
    static func originals(
        of token: String, limit: Int, _ db: StoreTransaction
    ) throws -> [OriginalTransactionIdentifier] {
        try db.rows(
            """
            SELECT DISTINCT original_transaction_id FROM account_token WHERE environment = $1 AND token = $2
            ORDER BY original_transaction_id LIMIT $3
            """, [db.environment.rawValue, token, limit]
        ).map { try $0.get("original_transaction_id") }
    }
}

extension AccountEvent {
    /// The newest events of a purchase's account that name the purchase, newest
    /// first.
    static func of(_ purchase: Purchase, limit: Int, _ db: StoreTransaction) throws -> [AccountEvent] {
        try db.rows(
            """
            SELECT event_number, kind, bundle_id, at, changes_receipt FROM event
            WHERE environment = $1 AND account_id = $2 AND bucket = $3 AND transaction_id = $4
            ORDER BY event_number DESC LIMIT $5
            """,
            [
                db.environment.rawValue, purchase.account, purchase.account.bucket, purchase.transactionIdentifier,
                limit,
            ]
        ).map { row in
            AccountEvent(
                account: purchase.account, number: try row.get("event_number"),
                kind: Kind(rawValue: try row.get("kind")),
                bundleIdentifier: try row.get("bundle_id"), transactionIdentifier: purchase.transactionIdentifier,
                time: StoreTime(milliseconds: try row.get("at")), changesReceipt: try row.get("changes_receipt"))
        }
    }
}

extension Team {
    /// Locks the team until the transaction ends, so that no role changes
    /// between a check of it and the commit. The update changes no value.
    static func hold(_ identifier: TeamIdentifier, _ db: StoreTransaction) throws {
        try db.run("UPDATE team SET change_number = change_number WHERE team_id = $1", [identifier])
    }
}

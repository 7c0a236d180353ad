// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension DeliveryMode {
    private init(_ row: Row) throws {
        self.init()
        isSentTwice = try row.get("is_sent_twice")
        isOutOfOrder = try row.get("is_out_of_order")
        delay = .milliseconds(try row.get("delay") as Int64)
        isDropped = try row.get("is_dropped")
        failures = try row.get("failures")
    }

    /// The mode of an account: its own, or else that of all accounts. Without
    /// an account, that of all accounts.
    static func of(_ account: AccountIdentifier?, _ db: StoreTransaction) throws -> DeliveryMode {
        guard db.environment == .sandbox else { return DeliveryMode() }
        let row = try db.row(
            """
            SELECT is_sent_twice, is_out_of_order, delay, is_dropped, failures FROM notification_mode
            WHERE environment = $1 AND account_id IN ('', $2) ORDER BY account_id DESC LIMIT 1
            """, [db.environment.rawValue, account ?? ""])
        return try row.map(DeliveryMode.init) ?? DeliveryMode()
    }

    /// All modes that were set, by the e-mail address of their account; that of
    /// all accounts has none, and is the first.
    static func all(_ db: StoreTransaction) throws -> [SettingDeliveryMode.Setting] {
        try db.rows(
            """
            SELECT account_id, is_sent_twice, is_out_of_order, delay, is_dropped, failures FROM notification_mode
            WHERE environment = $1 ORDER BY account_id
            """, [db.environment.rawValue]
        ).map { row in
            let account: AccountIdentifier = try row.get("account_id")
            let email = try account.rawValue.isEmpty ? nil : Account.findOpen(account, db)?.email
            return .init(email: email, mode: try DeliveryMode(row))
        }
    }

    /// Whether the mode still holds the notifications of an account. It locks
    /// the mode, so that a change of it releases the one that is saved now.
    static func holds(_ account: AccountIdentifier?, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            UPDATE notification_mode SET used = used + 1
            WHERE environment = $1 AND is_out_of_order = 1 AND account_id = (
                SELECT account_id FROM notification_mode
                WHERE environment = $1 AND account_id IN ('', $2) ORDER BY account_id DESC LIMIT 1)
            """, [db.environment.rawValue, account ?? ""]) == 1
    }

    /// Saves the mode of an account, or of all accounts, and makes the
    /// deliveries due that wait for a later notification.
    static func save(_ mode: DeliveryMode, for account: AccountIdentifier?, _ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM notification_mode WHERE environment = $1 AND account_id = $2",
            [db.environment.rawValue, account ?? ""])
        try NotificationDelivery.releaseAll(of: account, db)
        guard !mode.isUsual else { return }
        try db.run(
            """
            INSERT INTO notification_mode (environment, account_id, is_sent_twice, is_out_of_order, delay, is_dropped,
                failures)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                db.environment.rawValue, account ?? "", mode.isSentTwice, mode.isOutOfOrder,
                mode.delay.milliseconds, mode.isDropped, mode.failures,
            ])
    }
}

extension NotificationDelivery {
    /// Makes the deliveries of a chain due, to each address at which two wait:
    /// the newer one first.
    static func release(pairsOf chain: String, _ db: StoreTransaction) throws {
        let held = try db.rows(
            """
            SELECT notification_id, url FROM notification_delivery
            WHERE environment = $1 AND chain = $2 AND state = 'held'
            ORDER BY url, event_number DESC, place DESC, notification_id DESC
            """, [db.environment.rawValue, chain])
        let waiting = try held.map { (try $0.get("notification_id") as String, try $0.get("url") as String) }
        for deliveries in Dictionary(grouping: waiting, by: \.1).values where deliveries.count > 1 {
            for (place, delivery) in deliveries.enumerated() {
                try db.run(
                    """
                    UPDATE notification_delivery SET state = 'due', due_at = $4
                    WHERE environment = $1 AND notification_id = $2 AND url = $3 AND state = 'held'
                    """,
                    [
                        db.environment.rawValue, delivery.0, delivery.1,
                        db.now.milliseconds - Int64(deliveries.count - place),
                    ])
            }
        }
    }

    /// Makes all deliveries due that are held, of an account or of all.
    static func releaseAll(of account: AccountIdentifier?, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE notification_delivery SET state = 'due', due_at = $3
            WHERE environment = $1 AND state = 'held' AND ($2 = '' OR account_id = $2)
            """, [db.environment.rawValue, account ?? "", db.now.milliseconds])
    }
}
